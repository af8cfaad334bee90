import { minuteOf } from '../diagnostics-items.ts';
import type { Reason } from '../reasons.ts';
import type { Surface } from '../surfaces.ts';
import { type Bucket, bucketOf, type TimeRange } from './time-buckets.ts';

export type RejectionKind = 'limited' | 'rejected';

export interface RejectionCount {
  /** When the minute or hour begins. */
  readonly at: string;
  readonly surface: Surface;
  /** Not there when the form was not known: an unknown token, an ambiguous slug. */
  readonly formId?: string;
  readonly reason: Reason;
  readonly count: number;
}

/** The sort keys of a kind's counters, or of the events, in a range: whole minutes, the last one included. */
export function minuteKeys(
  prefix: RejectionKind | 'event',
  { from, to }: TimeRange,
): [first: string, last: string] {
  // `$` comes right after `#`, so that it ends the last minute whatever follows there.
  return [`${prefix}#${minuteOf(from)}`, `${prefix}#${minuteOf(to - 1)}$`];
}

export function minuteOfKey(sk: string): string {
  return sk.split('#')[1] ?? '';
}

/** Adds counters up by bucket, surface, form and reason. Fed newest first, it gives newest first. */
export function sumRejections(bucket: Bucket) {
  const sums = new Map<string, RejectionCount & { count: number }>();
  return {
    add({ sk, rejections }: { sk: string; rejections: number }): void {
      const [, minute = '', surface, ...formAndReason] = sk.split('#');
      const reason = formAndReason.pop() as Reason;
      const formId = formAndReason.join('#');
      const at = bucketOf(minute, bucket);
      const key = [at, surface, formId, reason].join('#');
      const sum = sums.get(key);
      if (sum) sum.count += rejections;
      else {
        const form = formId === '-' ? {} : { formId };
        sums.set(key, { at, surface: surface as Surface, ...form, reason, count: rejections });
      }
    },
    size: () => sums.size,
    result(): { total: number; counts: RejectionCount[] } {
      const counts = [...sums.values()];
      return { total: counts.reduce((total, { count }) => total + count, 0), counts };
    },
  };
}

/** The same counts by one of their properties alone, largest first; '' stands for no form. */
export function sumBy(
  counts: readonly RejectionCount[],
  property: 'at' | 'surface' | 'formId' | 'reason',
): { value: string; count: number }[] {
  const sums = new Map<string, number>();
  for (const each of counts) {
    const value = each[property] ?? '';
    sums.set(value, (sums.get(value) ?? 0) + each.count);
  }
  return [...sums].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}
