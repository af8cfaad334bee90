import type { Bucket } from './time-ranges.ts';

/** Minutes and hours are the owner's, days are those of UTC. A line break parts what may stand in two lines. */
export function bucketLabel(at: Date, bucket: Bucket): string {
  if (bucket === 'day') return DAY_OF_UTC.format(at);
  return bucket === 'hour' ? `${DAY.format(at)}\n${TIME.format(at)}` : TIME.format(at);
}

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const DAY_OF_UTC = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

const COUNT = new Intl.NumberFormat();

/** There is no half a lead: between whole numbers an axis says nothing. */
export function formatCount(value: number): string {
  return Number.isInteger(value) ? COUNT.format(value) : '';
}

/** Where an axis ends: never so low that all of its ticks would be fractions. */
export function axisMaximum(highest: number): number {
  return Math.max(4, Math.ceil(highest * 1.05));
}
