import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** The time, to about a minute. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Keeps showing the previous data while a moved time range loads. */
export function usePreviousData<Read extends { readonly data: unknown }>(read: Read): Read {
  const [kept, setKept] = useState(read.data);
  if (read.data !== undefined && read.data !== kept) setKept(read.data);
  return { ...read, data: read.data ?? kept };
}
