import { useState } from 'react';

/** When time moves on, the range moves and is read under another address: what was shown stays until then. */
export function useKept<Read extends { readonly data: unknown }>(read: Read): Read {
  const [kept, setKept] = useState(read.data);
  if (read.data !== undefined && read.data !== kept) setKept(read.data);
  return { ...read, data: read.data ?? kept };
}
