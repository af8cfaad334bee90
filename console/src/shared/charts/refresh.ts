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

/** When time moves on, the range moves and is read under another address: what was shown stays until then. */
export function usePreviousData<Read extends { readonly data: unknown }>(read: Read): Read {
  const [kept, setKept] = useState(read.data);
  if (read.data !== undefined && read.data !== kept) setKept(read.data);
  return { ...read, data: read.data ?? kept };
}
