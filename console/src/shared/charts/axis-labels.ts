import type { Bucket } from './time-ranges.ts';

/** Minutes and hours are local time, days are UTC. The line break allows two lines. */
export function bucketLabel(at: Date, bucket: Bucket): string {
  if (bucket === 'day') return DAY_OF_UTC.format(at);
  return bucket === 'hour' ? `${DAY.format(at)}\n${TIME.format(at)}` : TIME.format(at);
}

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const DAY_OF_UTC = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

const COUNT = new Intl.NumberFormat();

/** Counts are whole, so fractional ticks get no label. */
export function formatCount(value: number): string {
  return Number.isInteger(value) ? COUNT.format(value) : '';
}

/** The end of an axis: at least 4, so its ticks are whole numbers. */
export function axisMaximum(highest: number): number {
  return Math.max(4, Math.ceil(highest * 1.05));
}
