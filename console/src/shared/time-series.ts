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
function bucketStart(atMilliseconds: number, bucket: Bucket): number {
  const size = BUCKET_MS[bucket];
  return Math.floor(atMilliseconds / size) * size;
}

/** Every bucket from `from` up to `to`, including empty ones. */
export function bucketsBetween(from: string, to: string, bucket: Bucket): number[] {
  const [first, end] = [bucketStart(Date.parse(from), bucket), Date.parse(to)];
  const size = BUCKET_MS[bucket];
  return Array.from({ length: Math.max(0, Math.ceil((end - first) / size)) }, (_, at) => first + at * size);
}

/** The count of one kind (a form, a reason) in the bucket that starts at `at`. */
interface Count {
  readonly at: string;
  readonly kind: string;
  readonly count: number;
}

export interface Series {
  readonly title: string;
  readonly data: readonly { readonly x: Date; readonly y: number }[];
}

interface Stack {
  readonly from: string;
  readonly to: string;
  readonly bucket: Bucket;
  /** Kinds with the same title form one series. */
  readonly titleOf: (kind: string) => string;
  /** The title for the remaining kinds if there are too many. */
  readonly rest: string;
}

const MAX_SERIES = 8;

/** One series per title, the largest first, with a value for every bucket. */
export function stackSeries(counts: Iterable<Count>, { from, to, bucket, titleOf, rest }: Stack): Series[] {
  const sums = new Map<string, Sum>();
  for (const { at, kind, count } of counts) {
    const sum = sumOf(sums, titleOf(kind));
    add(sum, bucketStart(Date.parse(at), bucket), count);
  }
  const largestFirst = [...sums.values()].sort((a, b) => b.total - a.total);
  const buckets = bucketsBetween(from, to, bucket);
  return [...largestFirst.slice(0, MAX_SERIES), ...together(largestFirst.slice(MAX_SERIES), rest)].map(
    ({ title, at }) => ({ title, data: buckets.map((x) => ({ x: new Date(x), y: at.get(x) ?? 0 })) }),
  );
}

interface Sum {
  readonly title: string;
  readonly at: Map<number, number>;
  total: number;
}

function sumOf(sums: Map<string, Sum>, title: string): Sum {
  const sum = sums.get(title) ?? { title, at: new Map(), total: 0 };
  sums.set(title, sum);
  return sum;
}

function add(sum: Sum, bucket: number, count: number): void {
  sum.at.set(bucket, (sum.at.get(bucket) ?? 0) + count);
  sum.total += count;
}

function together(sums: readonly Sum[], title: string): Sum[] {
  if (sums.length === 0) return [];
  const all: Sum = { title, at: new Map(), total: 0 };
  for (const { at } of sums) for (const [bucket, count] of at) add(all, bucket, count);
  return [all];
}

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
