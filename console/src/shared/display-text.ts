import type { Surface } from '../api/types.ts';

/** How a submission was sent, in an owner's words. */
export const SURFACE_NAMES: Readonly<Record<Surface, string>> = {
  '1a': 'Server token',
  '1b': 'Webhook',
  '1c': 'Provider or tool',
  '2': 'Browser',
};

export function surfaceName(surface: string): string {
  return Object.hasOwn(SURFACE_NAMES, surface) ? SURFACE_NAMES[surface as Surface] : surface;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 7;

/** How long ago, in a few characters: "now", "5 min", "3 h", "2 d", then the date, with the year if it is another. */
export function ageText(at: string, now: number, timeZone: 'UTC' | undefined): string {
  const age = now - Date.parse(at);
  if (age < MINUTE_MS) return 'now';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  if (age < DAYS * DAY_MS) return `${Math.floor(age / DAY_MS)} d`;
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone });
  const isThisYear = year.format(new Date(at)) === year.format(now);
  const day = { day: 'numeric', month: 'short', timeZone } as const;
  return new Intl.DateTimeFormat(undefined, isThisYear ? day : { ...day, year: '2-digit' }).format(
    new Date(at),
  );
}
