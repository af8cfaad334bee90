import {
  hourKeys,
  hourOfKey,
  type RejectionCount,
  type RejectionKind,
  sumRejections,
} from '../../core/owner/rejection-counts.ts';
import { endOf, requireRange, startOf, type TimeRange } from '../../core/owner/time-buckets.ts';
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

/** Bounds the answer, which may be 6 MB at most. */
const MOST_COUNTS = 20_000;

export function makeRejectionSummary({ client, tables, now }: SummaryContext) {
  async function countKind(
    kind: RejectionKind,
    { workspaceId, bucket, from, to }: SummaryRequest,
    signal: AbortSignal,
  ) {
    const sums = sumRejections(bucket, { from, to });
    const stoppedAt = await readBackwards(
      client,
      {
        ...{ table: tables.diagnostics, workspaceId, keys: hourKeys(kind, { from, to }) },
        liveAtSeconds: Math.floor(now() / 1000),
      },
      (item) => {
        if (sums.size() >= MOST_COUNTS) return false;
        sums.add(item);
        return true;
      },
      signal,
    );
    // The hour at which reading stopped may be half counted.
    return { counts: sums.result(), completeFrom: stoppedAt && endOf(hourOfKey(stoppedAt), 'hour') };
  }

  return async function summary(request: SummaryRequest, signal: AbortSignal): Promise<RejectionSummary> {
    const { bucket, from, to } = request;
    requireRange({ from, to }, bucket);
    const [limited, rejected] = await Promise.all([
      countKind('limited', request, signal),
      countKind('rejected', request, signal),
    ]);
    const completeFrom = [limited, rejected]
      .flatMap((each) => each.completeFrom ?? [])
      .sort()
      .at(-1);
    return {
      from: startOf(from, 'minute'),
      to: endOf(to - 1, 'minute'),
      rateLimited: limited.counts,
      rejected: rejected.counts,
      truncated: completeFrom !== undefined,
      completeFrom: completeFrom ?? startOf(from, 'minute'),
    };
  };
}
