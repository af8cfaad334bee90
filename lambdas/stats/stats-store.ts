import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, isConflict, pauseBeforeRetry, readBackwards, type StoreContext } from '../aws/dynamodb.ts';
import { endOf, hourOf, startOf, type TimeRange } from '../model/time-buckets.ts';
import { requireRange } from '../owner-api/time-range.ts';
import {
  type CountedLead,
  countedMark,
  countedMarkKey,
  type HourlyCount,
  hourlyCounts,
  type LeadSummary,
  sumLeads,
} from './stats-items.ts';

export interface LeadStats {
  /** Counts each lead once, however often it is delivered. */
  count(leads: readonly CountedLead[], nowMilliseconds: number, signal: AbortSignal): Promise<void>;
}

/** A transaction takes 100 writes: a mark for each lead, and the counters that they raise. */
const LEADS_AT_ONCE = 50;

/**
 * Counters and marks are written in one transaction, so that a lead is counted if and only if it is marked. A batch
 * that is delivered again finds its marks; two deliveries at once collide on them, and the loser reads again.
 */
export function makeLeadStats({ client, tables }: StoreContext<'stats'>): LeadStats {
  async function withoutCounted(leads: readonly CountedLead[], signal: AbortSignal) {
    const addresses = leads.map((lead) => ({ table: tables.stats, key: countedMarkKey(lead) }));
    const marks = await batchGet(client, addresses, signal);
    return leads.filter((_, index) => marks[index] === undefined);
  }

  async function countInTransaction(
    leads: readonly CountedLead[],
    nowMilliseconds: number,
    signal: AbortSignal,
  ) {
    for (let attempt = 1; ; attempt += 1) {
      const uncounted = await withoutCounted(leads, signal);
      if (uncounted.length === 0) return;
      try {
        const command = countCommand(tables.stats, uncounted, nowMilliseconds);
        await client.send(command, { abortSignal: signal });
        return;
      } catch (error) {
        if (!isConflict(error) && !wasCountedConcurrently(error)) throw error;
        await pauseBeforeRetry(attempt, signal);
      }
    }
  }

  return {
    async count(leads, nowMilliseconds, signal) {
      for (let from = 0; from < leads.length; from += LEADS_AT_ONCE) {
        await countInTransaction(leads.slice(from, from + LEADS_AT_ONCE), nowMilliseconds, signal);
      }
    },
  };
}

function countCommand(table: string, leads: readonly CountedLead[], nowMilliseconds: number) {
  return new TransactWriteCommand({
    TransactItems: [
      ...leads.map((lead) => ({
        Put: {
          TableName: table,
          Item: countedMark(lead, nowMilliseconds),
          ConditionExpression: 'attribute_not_exists(sk)',
        },
      })),
      ...hourlyCounts(leads).map((count) => ({ Update: raise(table, count) })),
    ],
  });
}

function raise(table: string, { workspaceId, sk, increments }: HourlyCount) {
  const entries = Object.entries(increments);
  return {
    TableName: table,
    Key: { workspaceId, sk },
    UpdateExpression: `ADD ${entries.map((_, index) => `#n${index} :n${index}`).join(', ')} SET v = :v`,
    ExpressionAttributeNames: Object.fromEntries(entries.map(([name], index) => [`#n${index}`, name])),
    ExpressionAttributeValues: {
      ':v': 1,
      ...Object.fromEntries(entries.map(([, by], index) => [`:n${index}`, by])),
    },
  };
}

function wasCountedConcurrently(error: unknown): boolean {
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ConditionalCheckFailed')
  );
}

export interface StatsReader {
  /** Accepted leads, erased ones included. Throws InvalidRange: by hour at most 31 days, by day at most 366. */
  summary(
    request: { readonly workspaceId: string; readonly bucket: 'hour' | 'day' } & TimeRange,
    signal: AbortSignal,
  ): Promise<LeadSummary>;
}

/** Limits the response, which may be 6 MB at most. */
const MAX_COUNTS = 20_000;

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
          if (sums.size() >= MAX_COUNTS) return false;
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
