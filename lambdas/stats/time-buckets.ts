import { InvalidRange } from '../settings/leads/cursor.ts';

/** A minute as sort keys have it: `2026-11-15T12:34Z`. Keys that begin with it are in the order of time. */
export function minuteOf(atMilliseconds: number): string {
  return `${new Date(atMilliseconds).toISOString().slice(0, 16)}Z`;
}

/** An hour as sort keys have it: `2026-11-15T12Z`. */
export function hourOf(atMilliseconds: number): string {
  return `${new Date(atMilliseconds).toISOString().slice(0, 13)}Z`;
}

export type Bucket = 'minute' | 'hour' | 'day';

/** In milliseconds; `from` is inside, `to` is not. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Smaller buckets over longer ranges would be too many rows to look at. */
const LONGEST_RANGE: Readonly<Record<Bucket, { milliseconds: number; words: string }>> = {
  minute: { milliseconds: DAY_MS, words: '24 hours' },
  hour: { milliseconds: 31 * DAY_MS, words: '31 days' },
  day: { milliseconds: 366 * DAY_MS, words: '366 days' },
};

export function requireRange({ from, to }: TimeRange, bucket: Bucket): void {
  const isMoment = (value: number) => Number.isFinite(new Date(value).getTime()) && value >= 0;
  if (!isMoment(from) || !isMoment(to)) throw new InvalidRange('A time range needs two moments.');
  if (from >= to) throw new InvalidRange('A time range must begin before it ends.');
  const { milliseconds, words } = LONGEST_RANGE[bucket];
  if (to - from > milliseconds) throw new InvalidRange(`Counts by ${bucket} cover at most ${words}.`);
}

/** The bucket of a stored minute (`2026-11-15T12:34Z`) or hour (`2026-11-15T12Z`), by the moment it begins. */
export function bucketOf(stored: string, bucket: Bucket): string {
  const day = stored.slice(0, 10);
  if (bucket === 'day') return `${day}T00:00:00Z`;
  const hour = stored.slice(11, 13);
  return bucket === 'hour' ? `${day}T${hour}:00:00Z` : `${day}T${hour}:${stored.slice(14, 16)}:00Z`;
}

export function startOf(atMilliseconds: number, unit: 'minute' | 'hour'): string {
  const size = unit === 'hour' ? HOUR_MS : HOUR_MS / 60;
  return toSeconds(Math.floor(atMilliseconds / size) * size);
}

/** The first moment after the unit that holds this one. */
export function endOf(atMilliseconds: number, unit: 'minute' | 'hour'): string {
  const size = unit === 'hour' ? HOUR_MS : HOUR_MS / 60;
  return toSeconds((Math.floor(atMilliseconds / size) + 1) * size);
}

function toSeconds(atMilliseconds: number): string {
  return `${new Date(atMilliseconds).toISOString().slice(0, 19)}Z`;
}
