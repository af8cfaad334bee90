import type { RejectionKind } from '../../core/diagnostics-items.ts';
import {
  hourKeys,
  hourOfKey,
  type RejectionCount,
  sumRejections,
} from '../../core/owner/rejection-counts.ts';
import { endOf, requireRange, startOf, type TimeRange } from '../../core/owner/time-buckets.ts';
import { KEY_REUSED } from '../../core/reasons.ts';
import type { StoreContext } from '../tables.ts';
import { readBackwards } from './read-backwards.ts';

export interface RejectionCounts {
  readonly total: number;
  /** Newest first; minutes and hours without rejections are not there. */
  readonly counts: readonly RejectionCount[];
}

export interface RejectionSummary {
  /** The range in whole minutes, as it was counted. */
  readonly from: string;
  readonly to: string;
  readonly rateLimited: RejectionCounts;
  readonly rejected: RejectionCounts;
  /** Idempotency keys that came with another body. Not rejections: the senders got the original answers. */
  readonly reusedKeys: RejectionCounts;
  /** Of the newest rejection in the range: when it came, and when it was counted. Null if there is none. */
  readonly newestAt: string | null;
  readonly newestCountedAt: string | null;
  /** There was too much to count it all: before `completeFrom` some is missing. */
  readonly truncated: boolean;
  readonly completeFrom: string;
}

export interface SummaryRequest extends TimeRange {
  readonly workspaceId: string;
  readonly bucket: 'minute' | 'hour';
}

interface SummaryContext extends StoreContext<'diagnostics'> {
  readonly now: () => number;
}

function only({ counts }: RejectionCounts, belongs: (count: RejectionCount) => boolean): RejectionCounts {
  const kept = counts.filter(belongs);
  return { total: kept.reduce((sum, { count }) => sum + count, 0), counts: kept };
}

interface Newest {
  readonly latestAt: string;
  readonly countedAt: string;
}

function newer(known: Newest | undefined, item: object | undefined) {
  const { latestAt, countedAt } = (item ?? {}) as Partial<Newest>;
  const isNewer = latestAt !== undefined && countedAt !== undefined && latestAt > (known?.latestAt ?? '');
  return isNewer ? { latestAt, countedAt } : known;
}

/** Bounds the answer, which may be 6 MB at most. */
const MOST_COUNTS = 20_000;

export function makeRejectionSummary({ client, tables, now }: SummaryContext) {
  async function countKind(
    kind: RejectionKind,
    { workspaceId, bucket, from, to }: SummaryRequest,
    signal: AbortSignal,
  ) {
    const sums = sumRejections(bucket, { from, to });
    let newest: Newest | undefined;
    const stoppedAt = await readBackwards(
      client,
      {
        ...{ table: tables.diagnostics, workspaceId, keys: hourKeys(kind, { from, to }) },
        liveAtSeconds: Math.floor(now() / 1000),
      },
      (item) => {
        if (sums.size() >= MOST_COUNTS) return false;
        sums.add(item);
        newest = newer(newest, item);
        return true;
      },
      signal,
    );
    // The hour at which reading stopped may be half counted.
    const completeFrom = stoppedAt && endOf(hourOfKey(stoppedAt), 'hour');
    return { counts: sums.result(), newest, completeFrom };
  }

  return async function summary(request: SummaryRequest, signal: AbortSignal): Promise<RejectionSummary> {
    const { bucket, from, to } = request;
    requireRange({ from, to }, bucket);
    const kinds = await Promise.all([
      countKind('limited', request, signal),
      countKind('rejected', request, signal),
    ]);
    const [limited, rejected] = kinds;
    const newest = kinds.reduce<Newest | undefined>((known, each) => newer(known, each.newest), undefined);
    const completeFrom = kinds
      .flatMap((each) => each.completeFrom ?? [])
      .sort()
      .at(-1);
    return {
      from: startOf(from, 'minute'),
      to: endOf(to - 1, 'minute'),
      rateLimited: limited.counts,
      rejected: only(rejected.counts, ({ reason }) => reason !== KEY_REUSED),
      reusedKeys: only(rejected.counts, ({ reason }) => reason === KEY_REUSED),
      newestAt: newest?.latestAt ?? null,
      newestCountedAt: newest?.countedAt ?? null,
      truncated: completeFrom !== undefined,
      completeFrom: completeFrom ?? startOf(from, 'minute'),
    };
  };
}
