import { type Check, Fault, optional, text, wholeNumber } from './fields.ts';

const HOUR_MS = 60 * 60 * 1000;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** In a query everything is text. */
export function wholeNumberText(range: { readonly least: number; readonly most: number }): Check<number> {
  const check = wholeNumber(range);
  return (value) => check(typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined);
}

export const flagText: Check<boolean> = (value) => {
  if (value !== 'true' && value !== 'false') throw new Fault('must be true or false');
  return value === 'true';
};

/** A moment as of RFC 3339, in milliseconds. */
export const moment: Check<number> = (value) => {
  const at = typeof value === 'string' && MOMENT.test(value) && isDay(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isFinite(at) || at < 0) {
    throw new Fault('must be a date and time with its offset, such as 2026-11-15T12:00:00Z');
  }
  return at;
};

/** `Date.parse` takes the 30th of February for the 2nd of March. */
function isDay(moment: string): boolean {
  const day = moment.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

export const cursor: Check<string | undefined> = optional(text({ least: 1, most: 8_000 }));

export const RANGE = { from: optional(moment), to: optional(moment) };

/** Until now, and a day back, unless said otherwise. */
export function rangeOf(
  given: { readonly from: number | undefined; readonly to: number | undefined },
  nowMilliseconds: number,
) {
  const to = given.to ?? nowMilliseconds;
  return { from: given.from ?? Math.max(0, to - 24 * HOUR_MS), to };
}
