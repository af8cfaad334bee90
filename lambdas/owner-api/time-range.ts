import type { Bucket, TimeRange } from '../model/time-buckets.ts';
import { InvalidRange } from './errors.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Smaller buckets over longer ranges would be too many rows to look at. */
const MAX_RANGE_LENGTH: Readonly<Record<Bucket, { milliseconds: number; words: string }>> = {
  minute: { milliseconds: DAY_MS, words: '24 hours' },
  hour: { milliseconds: 31 * DAY_MS, words: '31 days' },
  day: { milliseconds: 366 * DAY_MS, words: '366 days' },
};

export function requireRange({ from, to }: TimeRange, bucket: Bucket): void {
  const isMoment = (value: number) => Number.isFinite(new Date(value).getTime()) && value >= 0;
  if (!isMoment(from) || !isMoment(to)) throw new InvalidRange('A time range needs two moments.');
  if (from >= to) throw new InvalidRange('A time range must begin before it ends.');
  const { milliseconds, words } = MAX_RANGE_LENGTH[bucket];
  if (to - from > milliseconds) throw new InvalidRange(`Counts by ${bucket} cover at most ${words}.`);
}
