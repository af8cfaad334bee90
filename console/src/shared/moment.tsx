import { useSyncExternalStore } from 'react';
import { ageText } from './display-text.ts';

const KEY = 'lead-ingest.times';
const CHANGED = 'lead-ingest:times';

/** Whether the owner chose UTC in this browser. */
export const isUtcChosen = () => localStorage.getItem(KEY) === 'utc';

export function showTimesInUtc(chosen: boolean): void {
  localStorage.setItem(KEY, chosen ? 'utc' : 'local');
  dispatchEvent(new Event(CHANGED));
}

export const useTimesInUtc = () => useSyncExternalStore(subscribe, isUtcChosen);

function subscribe(onChange: () => void): () => void {
  addEventListener(CHANGED, onChange);
  return () => removeEventListener(CHANGED, onChange);
}

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A local time with UTC on hover, or the reverse if chosen in the menu. */
export function Moment({ at }: { readonly at: string }) {
  const [shown, onHover] = useTimesInUtc() ? [utc(at), localTime(at)] : [localTime(at), utc(at)];
  return (
    <time dateTime={at} title={onHover}>
      {shown}
    </time>
  );
}

/** How long ago, with the exact time on hover. */
export function Age({ at }: { readonly at: string }) {
  const inUtc = useTimesInUtc();
  return (
    <time dateTime={at} title={inUtc ? utc(at) : localTime(at)}>
      {ageText(at, Date.now(), inUtc ? 'UTC' : undefined)}
    </time>
  );
}

/** The time of day alone, for what happened a short while ago. */
export function TimeOfDay({ at }: { readonly at: string }) {
  const text = useTimeText()(at);
  const timeZone = useTimesInUtc() ? 'UTC' : undefined;
  return (
    <time dateTime={at} title={text}>
      {new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', timeZone })}
    </time>
  );
}

/** The day alone, in plain text. */
export function useDayText(): (at: string) => string {
  const timeZone = useTimesInUtc() ? 'UTC' : undefined;
  return (at) => new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone });
}

/** The time in plain text, for titles. */
export function useTimeText(): (at: string) => string {
  return useTimesInUtc() ? utc : localTime;
}

export function localTime(at: string): string {
  return LOCAL.format(new Date(at));
}

export function utc(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
