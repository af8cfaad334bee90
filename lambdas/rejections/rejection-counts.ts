import type { AnySurface } from '../model/limits.ts';
import type { RecordedReason } from '../model/reasons.ts';
import { type Bucket, bucketOf, hourOf, type TimeRange } from '../model/time-buckets.ts';
import { countersOf, type RejectionKind, readCounterKey } from './diagnostics-items.ts';

export interface RejectionCount {
  /** When the minute or hour begins. */
  readonly at: string;
  readonly surface: AnySurface;
  /** Absent if the form is unknown: an unknown token, an ambiguous slug. */
  readonly formId?: string;
  readonly reason: RecordedReason;
  /** Whether the senders were authenticated. */
  readonly authenticated: boolean;
  readonly count: number;
}

export interface RejectionCounts {
  readonly total: number;
  /** Newest first, without empty minutes or hours. */
  readonly counts: readonly RejectionCount[];
}

export interface RejectionSummary {
  /** The range in whole minutes, as it was counted. */
  readonly from: string;
  readonly to: string;
  readonly rateLimited: RejectionCounts;
  readonly rejected: RejectionCounts;
  /** Idempotency keys that came with another body. Not rejections: the senders got the original responses. */
  readonly reusedKeys: RejectionCounts;
  /** Of the newest rejection in the range: when it came, and when it was counted. Null if there is none. */
  readonly newestAt: string | null;
  readonly newestCountedAt: string | null;
  /** Whether counts before `completeFrom` are incomplete because there was too much to read. */
  readonly truncated: boolean;
  readonly completeFrom: string;
}

/** The sort keys of a kind's counters in a range: whole hours, the last one included. */
export function hourKeys(kind: RejectionKind, { from, to }: TimeRange): [first: string, last: string] {
  // `$` comes right after `#`, so that it ends the last hour whatever follows there.
  return [`${kind}#${hourOf(from)}`, `${kind}#${hourOf(to - 1)}$`];
}

/** `rejected#2026-11-15T12Z#…` */
export function hourOfKey(sk: string): number {
  return Date.parse(`${readCounterKey(sk).hour.slice(0, 13)}:00Z`);
}

const MINUTE_MS = 60 * 1000;

/** Adds the minutes of a range up by bucket, surface, form and reason: whole minutes, the last one included. */
export function sumRejections(bucket: Bucket, { from, to }: TimeRange) {
  const sums = new Map<string, RejectionCount & { count: number }>();
  const isInside = (minute: number) =>
    minute >= Math.floor(from / MINUTE_MS) && minute <= Math.floor((to - 1) / MINUTE_MS);
  return {
    add(item: Readonly<Record<string, unknown>> & { readonly sk: string }): void {
      const { hour, surface, formId, reason, authenticated } = readCounterKey(item.sk);
      const firstMinute = hourOfKey(item.sk) / MINUTE_MS;
      for (const { minute, count } of countersOf(item)) {
        if (!isInside(firstMinute + minute)) continue;
        const at = bucketOf(`${hour.slice(0, 13)}:${String(minute).padStart(2, '0')}Z`, bucket);
        const key = [at, surface, formId ?? '-', reason, authenticated].join('#');
        const sum = sums.get(key);
        if (sum) sum.count += count;
        else {
          const facts = { at, surface: surface as AnySurface, ...(formId !== undefined && { formId }) };
          sums.set(key, {
            ...facts,
            reason: reason as RecordedReason,
            authenticated,
            count,
          });
        }
      }
    },
    size: () => sums.size,
    /** Newest first: the minutes of an hour come in no order. */
    result(): { total: number; counts: RejectionCount[] } {
      const counts = [...sums.values()].sort((a, b) => b.at.localeCompare(a.at));
      return { total: counts.reduce((total, { count }) => total + count, 0), counts };
    },
  };
}

/** The same counts by one of their properties alone, largest first; '' means no form. */
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

/** Used in URLs and queries in place of a form's id, for rejections without a form. */
export const NO_FORM = 'none';
