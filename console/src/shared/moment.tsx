import { useTimesInUtc } from './times.ts';

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time in the owner's zone, with UTC on hover; the other way round for who has asked for it in the menu. */
export function Moment({ at }: { readonly at: string }) {
  const [shown, onHover] = useTimesInUtc() ? [utc(at), localTime(at)] : [localTime(at), utc(at)];
  return (
    <time dateTime={at} title={onHover}>
      {shown}
    </time>
  );
}

/** The same in plain text, for titles. */
export function useTimeText(): (at: string) => string {
  return useTimesInUtc() ? utc : localTime;
}

export function localTime(at: string): string {
  return LOCAL.format(new Date(at));
}

export function utc(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
