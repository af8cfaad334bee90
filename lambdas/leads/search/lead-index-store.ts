import {
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import {
  pauseBeforeRetry,
  retryThrottled,
  type StoreContext,
  unlessConditionFails,
} from '../../aws/dynamodb.ts';
import { type LeadEntries, type ListedLead, listBucket, wordBucket } from './index-entry.ts';

/** What can change about a listed lead after it was accepted. */
export type ListedState = Pick<ListedLead, 'clean' | 'enrichment'>;

export interface LeadAddress {
  readonly workspaceId: string;
  readonly leadId: string;
}

export interface LeadIndex {
  write(address: LeadAddress, entries: LeadEntries, signal: AbortSignal): Promise<void>;
  /** False if the lead has no list entry yet. */
  update(address: LeadAddress, state: ListedState, signal: AbortSignal): Promise<boolean>;
  /** Removes all entries of the lead, found by its list entry. */
  remove(address: LeadAddress, signal: AbortSignal): Promise<void>;
}

type WriteRequest = { DeleteRequest: { Key: object } } | { PutRequest: { Item: object } };

export function makeLeadIndex({ client, tables }: StoreContext<'leadIndex'>): LeadIndex {
  const table = tables.leadIndex;

  /** At most seven, which fit one call. */
  async function writeAll(requests: readonly WriteRequest[], signal: AbortSignal): Promise<void> {
    let pending: WriteRequest[] = [...requests];
    for (let attempt = 0; pending.length > 0; attempt += 1) {
      // A throttled item comes back as unprocessed, with status 200: the SDK does not retry it.
      if (attempt > 0) await pauseBeforeRetry(attempt, signal);
      const command = new BatchWriteCommand({ RequestItems: { [table]: pending as never } });
      const response = await retryThrottled(() => client.send(command, { abortSignal: signal }), signal);
      pending = (response.UnprocessedItems?.[table] ?? []) as WriteRequest[];
    }
  }

  const deletions = ({ workspaceId, leadId }: LeadAddress, buckets: readonly string[]) =>
    buckets.map((letters) => ({
      DeleteRequest: { Key: { bucket: wordBucket(workspaceId, letters), leadId } },
    }));

  /** The list entry first: it names the others, so that none is ever out of reach. */
  async function write(address: LeadAddress, { list, words }: LeadEntries, signal: AbortSignal) {
    const command = new PutCommand({ TableName: table, Item: list, ReturnValues: 'ALL_OLD' });
    const { Attributes } = await retryThrottled(() => client.send(command, { abortSignal: signal }), signal);
    const before = (Attributes?.buckets ?? []) as string[];
    const outdated = before.filter((letters) => !list.buckets.includes(letters));
    await writeAll(
      words.map((Item) => ({ PutRequest: { Item } })),
      signal,
    );
    await writeAll(deletions(address, outdated), signal);
  }

  async function update({ workspaceId, leadId }: LeadAddress, state: ListedState, signal: AbortSignal) {
    const command = new UpdateCommand({
      TableName: table,
      Key: { bucket: listBucket(workspaceId), leadId },
      UpdateExpression: 'SET clean = :clean, enrichment = :enrichment',
      ConditionExpression: 'attribute_exists(leadId)',
      ExpressionAttributeValues: { ':clean': state.clean, ':enrichment': state.enrichment },
    });
    return unlessConditionFails(retryThrottled(() => client.send(command, { abortSignal: signal }), signal));
  }

  /** The list entry last: if this is interrupted, a repeat finds the other entries through it. */
  async function remove(address: LeadAddress, signal: AbortSignal): Promise<void> {
    const { workspaceId, leadId } = address;
    const Key = { bucket: listBucket(workspaceId), leadId };
    const { Item } = await client.send(
      new GetCommand({ TableName: table, Key, ProjectionExpression: 'buckets', ConsistentRead: true }),
      { abortSignal: signal },
    );
    if (!Item) return;
    await writeAll(deletions(address, (Item.buckets ?? []) as string[]), signal);
    const command = new DeleteCommand({ TableName: table, Key });
    await retryThrottled(() => client.send(command, { abortSignal: signal }), signal);
  }

  return { write, update, remove };
}
