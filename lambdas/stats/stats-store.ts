import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { batchGet, pauseBeforeRetry, readBackwards, type StoreContext } from '../aws/dynamodb.ts';
import { onShortPath, toAttributes } from '../aws/short-path.ts';
import type { Shard } from '../model/stream-record.ts';
import { endOf, hourOf, startOf, type TimeRange } from '../model/time-buckets.ts';
import { requireRange } from '../owner-api/time-range.ts';
import {
  countedMarkKey,
  type HourCounter,
  hourCounters,
  incrementsOf,
  type LeadSummary,
  type SequencedLead,
  shardName,
  sumLeads,
} from './stats-items.ts';

export interface LeadStats {
  /** Counts each lead once, however often and in whatever batches it is delivered. */
  count(shard: Shard, leads: readonly SequencedLead[], signal: AbortSignal): Promise<void>;
}

/** As many keys as one batch reads. */
const READ_AT_ONCE = 100;

/**
 * Each counter belongs to one shard of the stream and carries the sequence number up to which it has counted that shard.
 * Counts and number change in one write, on condition that nobody else has moved the number: a batch that is delivered
 * again, cut in another way, or worked on by two invocations at once is counted once.
 */
export function makeLeadStats({ client, tables }: StoreContext<'stats'>): LeadStats {
  /** A restored lead is new to the stream, and so is a lead that the version before has counted but not acknowledged. */
  async function withoutMarked(leads: readonly SequencedLead[], signal: AbortSignal) {
    const unmarked: SequencedLead[] = [];
    for (let from = 0; from < leads.length; from += READ_AT_ONCE) {
      const some = leads.slice(from, from + READ_AT_ONCE);
      const addresses = some.map((lead) => ({ table: tables.stats, key: countedMarkKey(lead) }));
      const marks = await batchGet(client, addresses, signal);
      unmarked.push(...some.filter((_, index) => marks[index] === undefined));
    }
    return unmarked;
  }

  /** Returns the number up to which the counter has counted, if that is not where these leads go on. */
  async function raise(counter: HourCounter<SequencedLead>, seen: string | undefined, signal: AbortSignal) {
    try {
      await client.send(raiseCommand(tables.stats, counter, seen), { abortSignal: signal });
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException) || !error.Item) throw error;
      return String(unmarshall(error.Item).seq);
    }
  }

  async function countIn(counter: HourCounter<SequencedLead>, signal: AbortSignal): Promise<void> {
    let seen: string | undefined;
    for (let attempt = 1; ; attempt += 1) {
      const leads = counter.leads.filter(({ sequence }) => seen === undefined || sequence > seen);
      if (leads.length === 0) return;
      seen = await raise({ ...counter, leads }, seen, signal);
      if (seen === undefined) return;
      if (attempt > 1) await pauseBeforeRetry(attempt, signal);
    }
  }

  return {
    async count(shard, leads, signal) {
      // A batch read may name a key only once.
      const each = [...new Map(leads.map((lead) => [lead.leadId, lead])).values()];
      const unmarked = await withoutMarked(each, signal);
      const counters = hourCounters(unmarked, shardName(shard));
      await Promise.all(counters.map((counter) => countIn(counter, signal)));
    },
  };
}

/** Without a number that was seen, all of the leads must be new to the counter. */
function raiseCommand(
  table: string,
  { workspaceId, sk, leads }: HourCounter<SequencedLead>,
  seen: string | undefined,
) {
  const entries = Object.entries(incrementsOf(leads));
  const sequences = leads.map(({ sequence }) => sequence).sort();
  const latest = leads
    .map(({ receivedAt }) => receivedAt)
    .sort()
    .at(-1);
  const values = {
    ...(seen === undefined ? { ':first': sequences[0] } : { ':seen': seen }),
    ':last': sequences.at(-1),
    ':latest': latest,
    ':v': 2,
    ...Object.fromEntries(entries.map(([, by], index) => [`:n${index}`, by])),
  };
  return onShortPath(
    new UpdateItemCommand({
      TableName: table,
      Key: toAttributes({ workspaceId, sk }),
      UpdateExpression:
        `ADD ${entries.map((_, index) => `#n${index} :n${index}`).join(', ')}` +
        ' SET seq = :last, latest = :latest, v = :v',
      ConditionExpression: seen === undefined ? 'attribute_not_exists(seq) OR seq < :first' : 'seq = :seen',
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name], index) => [`#n${index}`, name])),
      ExpressionAttributeValues: toAttributes(values),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
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

/** `hour#2026-11-15T12Z#form_…#…` */
function momentOf(sk: string): number {
  return Date.parse(`${sk.slice(5, 18)}:00Z`);
}
