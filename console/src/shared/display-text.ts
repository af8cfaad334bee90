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

/** A short time: without the year this year, without the time of day otherwise. */
export function shortTime(at: string, now: number, timeZone: 'UTC' | undefined): string {
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone });
  const isThisYear = year.format(new Date(at)) === year.format(now);
  const day = { day: 'numeric', month: 'short', timeZone } as const;
  const rest = isThisYear
    ? ({ hour: '2-digit', minute: '2-digit' } as const)
    : ({ year: 'numeric' } as const);
  return new Intl.DateTimeFormat(undefined, { ...day, ...rest }).format(new Date(at));
}
