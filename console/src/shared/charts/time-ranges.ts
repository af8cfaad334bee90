export type Bucket = 'minute' | 'hour' | 'day';

/** The last `count` buckets, including the current one. */
export interface TimeRange {
  /** The value in the URL. */
  readonly id: string;
  readonly text: string;
  readonly bucket: Bucket;
  readonly count: number;
}

const MINUTE_MS = 60_000;
const BUCKET_MS: Readonly<Record<Bucket, number>> = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 24 * 60 * MINUTE_MS,
};

export const HOUR_BY_MINUTE: TimeRange = { id: '1h', text: '1 hour', bucket: 'minute', count: 60 };
export const DAY_BY_HOUR: TimeRange = { id: '24h', text: '24 hours', bucket: 'hour', count: 24 };
export const WEEK_BY_HOUR: TimeRange = { id: '7d-hours', text: '7 days by hour', bucket: 'hour', count: 168 };
export const WEEK_BY_DAY: TimeRange = { id: '7d', text: '7 days', bucket: 'day', count: 7 };
export const MONTH_BY_DAY: TimeRange = { id: '30d', text: '30 days', bucket: 'day', count: 30 };

/** The range with this ID, or the first one. */
export function findRange(
  id: string | null,
  ranges: readonly [TimeRange, ...(readonly TimeRange[])],
): TimeRange {
  return ranges.find((range) => range.id === id) ?? ranges[0];
}

/** The start of a range for the settings API. Days are UTC days, like the limits. */
export function rangeStart({ bucket, count }: TimeRange, nowMilliseconds: number): string {
  const size = BUCKET_MS[bucket];
  return new Date(bucketStart(nowMilliseconds, bucket) - (count - 1) * size).toISOString();
}

/** The start of the minute, hour or day. */
export function bucketStart(atMilliseconds: number, bucket: Bucket): number {
  const size = BUCKET_MS[bucket];
  return Math.floor(atMilliseconds / size) * size;
}

/** Every bucket from `from` up to `to`, including empty ones. */
export function bucketsBetween(from: string, to: string, bucket: Bucket): number[] {
  const [first, end] = [bucketStart(Date.parse(from), bucket), Date.parse(to)];
  const size = BUCKET_MS[bucket];
  return Array.from({ length: Math.max(0, Math.ceil((end - first) / size)) }, (_, at) => first + at * size);
}
