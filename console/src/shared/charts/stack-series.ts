import { type Bucket, bucketStart, bucketsBetween } from './time-ranges.ts';

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

const MOST_SERIES = 8;

/** One series per title, the largest first, with a value for every bucket. */
export function stackSeries(counts: Iterable<Count>, { from, to, bucket, titleOf, rest }: Stack): Series[] {
  const sums = new Map<string, Sum>();
  for (const { at, kind, count } of counts) {
    const sum = sumOf(sums, titleOf(kind));
    add(sum, bucketStart(Date.parse(at), bucket), count);
  }
  const largestFirst = [...sums.values()].sort((a, b) => b.total - a.total);
  const buckets = bucketsBetween(from, to, bucket);
  return [...largestFirst.slice(0, MOST_SERIES), ...together(largestFirst.slice(MOST_SERIES), rest)].map(
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
