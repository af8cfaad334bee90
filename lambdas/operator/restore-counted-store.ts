import { BatchWriteCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { batchGet, pauseBeforeRetry, type StoreContext } from '../aws/dynamodb.ts';
import { hourOf } from '../model/time-buckets.ts';
import { countedMark, countedMarkKey, readCounterKey } from '../stats/stats-items.ts';
import { groupsOf, type Item, inParallel } from './table-items-store.ts';

/** As many as one BatchWriteItem takes. */
const MARKS_AT_ONCE = 25;
/** A stream's retention: an older lead has been counted, or never will be. */
const STREAM_MS = 24 * 60 * 60 * 1000;

interface RestoredLead {
  readonly workspaceId: string;
  readonly leadId: string;
  readonly formId: string;
  readonly receivedAt: string;
}

/**
 * Marks those of the leads as counted that were, before they come back: to the stream, they are new. A lead was counted
 * if it has a mark, if it is older than the stream, or if the counters of its hour and form have got to a lead that was
 * received later. Counters of several shards can be seconds apart, and so can this be wrong by seconds.
 */
export function makeCountedMarks({
  client,
  tables,
  now,
}: StoreContext<'stats'> & { readonly now: () => number }) {
  /** When the newest lead was received that the counters of an hour and form had counted. */
  const countedUntil = new Map<string, Promise<string>>();

  async function readCountedUntil(
    { workspaceId, formId }: RestoredLead,
    hour: string,
    signal: AbortSignal,
  ): Promise<string> {
    const query = {
      TableName: tables.stats,
      KeyConditionExpression: 'workspaceId = :workspaceId AND begins_with(sk, :counters)',
      ExpressionAttributeValues: { ':workspaceId': workspaceId, ':counters': `hour#${hour}#${formId}` },
      ConsistentRead: true,
    };
    let until = '';
    for await (const { Items = [] } of paginateQuery({ client }, query, { abortSignal: signal })) {
      for (const item of Items) {
        if (readCounterKey(item).formId === formId && String(item.latest ?? '') > until) {
          until = String(item.latest);
        }
      }
    }
    return until;
  }

  function untilFor(lead: RestoredLead, signal: AbortSignal): Promise<string> {
    const hour = hourOf(Date.parse(lead.receivedAt));
    const key = `${lead.workspaceId}/${hour}/${lead.formId}`;
    const until = countedUntil.get(key) ?? readCountedUntil(lead, hour, signal);
    countedUntil.set(key, until);
    return until;
  }

  return async function markCounted(items: readonly Item[], takenAt: number, signal: AbortSignal) {
    const leads = items as unknown as RestoredLead[];
    const addresses = leads.map((lead) => ({ table: tables.stats, key: countedMarkKey(lead) }));
    const marks = await batchGet(client, addresses, signal);
    const counted: RestoredLead[] = [];
    for (const [index, lead] of leads.entries()) {
      const isCounted =
        marks[index] !== undefined ||
        Date.parse(lead.receivedAt) < takenAt - STREAM_MS ||
        lead.receivedAt <= (await untilFor(lead, signal));
      if (isCounted) counted.push(lead);
    }
    // Marks that exist are renewed: an old one could expire before the stream gets there.
    await inParallel(groupsOf(counted, MARKS_AT_ONCE), async (group) => {
      let pending = {
        [tables.stats]: group.map((lead) => ({ PutRequest: { Item: countedMark(lead, now()) } })),
      };
      for (let attempt = 0; Object.keys(pending).length > 0; attempt += 1) {
        if (attempt > 0) await pauseBeforeRetry(attempt, signal);
        const command = new BatchWriteCommand({ RequestItems: pending });
        const { UnprocessedItems = {} } = await client.send(command, { abortSignal: signal });
        pending = UnprocessedItems as typeof pending;
      }
    });
  };
}
