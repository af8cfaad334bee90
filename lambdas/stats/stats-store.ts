import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../aws/batch-get.ts';
import { isConflict, pauseBeforeRetry } from '../aws/retry.ts';
import type { StoreContext } from '../aws/tables.ts';
import type { StreamedLead } from '../submission/streamed-lead.ts';
import { countedMark, countedMarkKey, type HourlyCount, hourlyCounts } from './stats-items.ts';

export interface LeadStats {
  /** Counts each of these leads once, however often it is given. */
  count(leads: readonly StreamedLead[], nowMilliseconds: number, signal: AbortSignal): Promise<void>;
}

/** A transaction takes 100 writes: a mark for each lead, and the counters that they raise. */
const LEADS_AT_ONCE = 50;

/**
 * Counters and marks are written in one transaction, so that a lead is counted if and only if it is marked. A batch
 * that is delivered again finds its marks; two deliveries at once collide on them, and the loser reads again.
 */
export function makeLeadStats({ client, tables }: StoreContext<'stats'>): LeadStats {
  async function withoutCounted(leads: readonly StreamedLead[], signal: AbortSignal) {
    const addresses = leads.map((lead) => ({ table: tables.stats, key: countedMarkKey(lead) }));
    const marks = await batchGet(client, addresses, signal);
    return leads.filter((_, index) => marks[index] === undefined);
  }

  async function countTogether(leads: readonly StreamedLead[], nowMilliseconds: number, signal: AbortSignal) {
    for (let attempt = 1; ; attempt += 1) {
      const uncounted = await withoutCounted(leads, signal);
      if (uncounted.length === 0) return;
      try {
        const command = countCommand(tables.stats, uncounted, nowMilliseconds);
        await client.send(command, { abortSignal: signal });
        return;
      } catch (error) {
        if (!isConflict(error) && !wasCountedMeanwhile(error)) throw error;
        await pauseBeforeRetry(attempt, signal);
      }
    }
  }

  return {
    async count(leads, nowMilliseconds, signal) {
      for (let from = 0; from < leads.length; from += LEADS_AT_ONCE) {
        await countTogether(leads.slice(from, from + LEADS_AT_ONCE), nowMilliseconds, signal);
      }
    },
  };
}

function countCommand(table: string, leads: readonly StreamedLead[], nowMilliseconds: number) {
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

function wasCountedMeanwhile(error: unknown): boolean {
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ConditionalCheckFailed')
  );
}
