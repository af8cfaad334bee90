import { DAY } from './snapshot.ts';

/** One zone for each day of the year on which clocks change somewhere. Nobody knows where a form's visitors are. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Sydney',
  'Pacific/Auckland',
  'Asia/Jerusalem',
  'Africa/Cairo',
  'Africa/Casablanca',
];

/** After this, the baseline has seen enough of the new hours. */
const DAYS_AFTER_CHANGE = 14;

let known: { readonly day: number; readonly shifts: readonly number[] } | undefined;

/** By how many milliseconds clocks went forward (or back, below zero) in the last two weeks, in some place. */
export function recentClockShifts(now: number): readonly number[] {
  const day = Math.floor(now / DAY);
  if (known?.day !== day) {
    const changes = ZONES.map(
      (zone) => offsetOf(zone, day + 1) - offsetOf(zone, day + 1 - DAYS_AFTER_CHANGE),
    );
    known = { day, shifts: [...new Set(changes)].filter((shift) => shift !== 0) };
  }
  return known.shifts;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** From UTC, at the beginning of a day since 1970. */
function offsetOf(timeZone: string, day: number): number {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  const name = format.formatToParts(day * DAY).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = 0, minutes = 0] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
