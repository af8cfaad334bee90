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

type Zone = 'UTC' | undefined;

/** A time in the owner's zone, or in UTC, in as few characters as tell it: of another year the day is enough. */
export function shortTime(at: string, now: number, timeZone: Zone): string {
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone });
  const isThisYear = year.format(new Date(at)) === year.format(now);
  const day = { day: 'numeric', month: 'short', timeZone } as const;
  const rest = isThisYear
    ? ({ hour: '2-digit', minute: '2-digit' } as const)
    : ({ year: 'numeric' } as const);
  return new Intl.DateTimeFormat(undefined, { ...day, ...rest }).format(new Date(at));
}
