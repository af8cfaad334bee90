import type { Bucket } from './time-ranges.ts';

/** Minutes and hours are the owner's, days are those of UTC. A line break parts what may stand in two lines. */
export function bucketLabel(at: Date, bucket: Bucket): string {
  if (bucket === 'day') return DAY_OF_UTC.format(at);
  return bucket === 'hour' ? `${DAY.format(at)}\n${TIME.format(at)}` : TIME.format(at);
}

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const DAY_OF_UTC = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
