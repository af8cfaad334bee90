import { useSyncExternalStore } from 'react';

const NARROW = '(max-width: 699px)';

/** Whether the window is about as narrow as a phone. Follows a phone that is turned. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(onTurn, () => matchMedia(NARROW).matches);
}

function onTurn(notice: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener('change', notice);
  return () => query.removeEventListener('change', notice);
}
