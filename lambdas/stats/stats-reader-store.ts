import { readBackwards } from '../aws/read-backwards.ts';
import { hourOf } from '../aws/stored-times.ts';
import type { StoreContext } from '../aws/tables.ts';
import { type LeadCount, type LeadTally, sumLeads } from './lead-counts.ts';
import { endOf, requireRange, startOf, type TimeRange } from './time-buckets.ts';

export interface LeadSummary {
  /** The range in whole hours, as it was counted. */
  readonly from: string;
  readonly to: string;
  readonly total: LeadTally;
  /** Newest first; hours and days without leads are not there. */
  readonly counts: readonly LeadCount[];
  /** There was too much to count it all: before `completeFrom` some is missing. */
  readonly truncated: boolean;
  readonly completeFrom: string;
}

export interface StatsReader {
  /** Accepted leads, erased ones included. Throws InvalidRange: by hour at most 31 days, by day at most 366. */
  summary(
    request: { readonly workspaceId: string; readonly bucket: 'hour' | 'day' } & TimeRange,
    signal: AbortSignal,
  ): Promise<LeadSummary>;
}

/** Bounds the answer, which may be 6 MB at most. */
const MOST_COUNTS = 20_000;

export function makeStatsReader({ client, tables }: StoreContext<'stats'>): StatsReader {
  return {
    async summary({ workspaceId, bucket, from, to }, signal) {
      requireRange({ from, to }, bucket);
      const sums = sumLeads(bucket);
      const stoppedAt = await readBackwards(
        client,
        // `$` comes right after `#`, so that it ends the last hour whatever form follows there.
        { table: tables.stats, workspaceId, keys: [`hour#${hourOf(from)}`, `hour#${hourOf(to - 1)}$`] },
        (item) => {
          if (sums.size() >= MOST_COUNTS) return false;
          sums.add(item);
          return true;
        },
        signal,
      );
      return {
        from: startOf(from, 'hour'),
        to: endOf(to - 1, 'hour'),
        ...sums.result(),
        truncated: stoppedAt !== undefined,
        completeFrom: stoppedAt ? endOf(momentOf(stoppedAt), 'hour') : startOf(from, 'hour'),
      };
    },
  };
}

/** `hour#2026-11-15T12Z#form_…` */
function momentOf(sk: string): number {
  return Date.parse(`${sk.slice(5, 18)}:00Z`);
}
