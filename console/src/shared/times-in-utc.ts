import { useSyncExternalStore } from 'react';

const KEY = 'lead-ingest.times';
const CHANGED = 'lead-ingest:times';

/** What the owner chose in this browser; else times are in the zone of the browser. */
const isChosen = () => localStorage.getItem(KEY) === 'utc';

export function showTimesInUtc(chosen: boolean): void {
  localStorage.setItem(KEY, chosen ? 'utc' : 'local');
  dispatchEvent(new Event(CHANGED));
}

export const useTimesInUtc = () => useSyncExternalStore(subscribe, isChosen);

function subscribe(onChange: () => void): () => void {
  addEventListener(CHANGED, onChange);
  return () => removeEventListener(CHANGED, onChange);
}
