import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { counterKey, countersOf, readCounterKey } from './diagnostics-items.ts';
import { ownerOf, type RejectionRecord } from './rejection-record.ts';

/**
 * Events per form and hour on Surface 1c: the first 40, then the first of each minute, so at most 100. Providers repeat
 * what gets a 503, Typeform about 240 times per lead: 40 are the attempts of somebody who sets a form up, or of the first
 * leads after a mistake. One per minute keeps the newest reason visible while the rest only counts.
 */
export const FREE_EVENTS_PER_HOUR = 40;
export const MAX_EVENTS_PER_HOUR = FREE_EVENTS_PER_HOUR + 60;

export interface EventBudget {
  /** Those of the records, in their order, that may be kept as events. All of them are counted. */
  within(records: readonly RejectionRecord[], signal: AbortSignal): Promise<RejectionRecord[]>;
}

/** What was counted of a form in an hour, by minute. */
type MinuteCounts = Map<number, number>;

/**
 * Judged by the counters, which a batch raises after its events: a batch that is delivered again is judged as before.
 * Shards that work at the same moment do not see each other's batches, and may keep a few more.
 */
export function makeEventBudget({ client, tables }: StoreContext<'diagnostics'>): EventBudget {
  async function readCounts(
    { workspaceId, prefix, authenticated }: FormHour,
    signal: AbortSignal,
  ): Promise<MinuteCounts> {
    const counts: MinuteCounts = new Map();
    const pages = paginateQuery(
      { client },
      {
        TableName: tables.diagnostics,
        KeyConditionExpression: 'workspaceId = :workspaceId AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':workspaceId': workspaceId, ':prefix': prefix },
        ConsistentRead: true,
      },
      { abortSignal: signal },
    );
    for await (const { Items = [] } of pages) {
      for (const item of Items) {
        if (readCounterKey(String(item.sk)).authenticated !== authenticated) continue;
        for (const { minute, count } of countersOf(item)) raise(counts, minute, count);
      }
    }
    return counts;
  }

  return {
    async within(records, signal) {
      const hours = new Map<string, Promise<MinuteCounts>>();
      const kept: RejectionRecord[] = [];
      for (const record of records) {
        const hour = formHourOf(record);
        if (hour) {
          const name = JSON.stringify(hour);
          const reading = hours.get(name) ?? readCounts(hour, signal);
          hours.set(name, reading);
          if (!count(await reading, record)) continue;
        }
        kept.push(record);
      }
      return kept;
    },
  };
}

/** Counts the record, and returns whether it may be kept. */
function count(counts: MinuteCounts, { at }: RejectionRecord): boolean {
  const minute = Number(at.slice(14, 16));
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0);
  const isFirst = !counts.has(minute);
  raise(counts, minute, 1);
  return total < FREE_EVENTS_PER_HOUR || isFirst;
}

function raise(counts: MinuteCounts, minute: number, by: number): void {
  counts.set(minute, (counts.get(minute) ?? 0) + by);
}

interface FormHour {
  readonly workspaceId: string;
  /** Of the sort keys of its counters, whatever the reason. */
  readonly prefix: string;
  readonly authenticated: boolean;
}

/** Undefined for surfaces whose senders take every response for a delivery, and repeat nothing. */
function formHourOf(record: RejectionRecord): FormHour | undefined {
  const workspaceId = ownerOf(record);
  if (record.surface !== '1c' || record.formId === null || workspaceId === undefined) return undefined;
  const { sk } = counterKey(workspaceId, record, 0);
  const prefix = sk.slice(0, sk.lastIndexOf(`#${record.reason}#`) + 1);
  return { workspaceId, prefix, authenticated: record.authenticated };
}
