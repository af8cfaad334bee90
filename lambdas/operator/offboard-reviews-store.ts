import { DeleteCommand, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { INDEXES } from '../contract.ts';
import { learnedKey } from '../model/learned.ts';
import { reviewsOf } from '../model/review-item.ts';
import { sendersKey } from '../model/senders.ts';
import { deleteInTransactions, deleteItems } from './table-items-store.ts';

const PARTS = ['lead', 'enrichment', 'review'] as const;

/**
 * Leads with a review may have all three parts, clean or not: one that was enriched may have been called spam since.
 * Returns how many there were.
 */
export async function removeReviewedLeads(
  { client, tables }: StoreContext<'leads'>,
  workspaceId: string,
  signal: AbortSignal,
): Promise<number> {
  const query = {
    TableName: tables.leads,
    IndexName: INDEXES.leadsByForm,
    KeyConditionExpression: 'formId = :reviews',
    ExpressionAttributeValues: { ':reviews': reviewsOf(workspaceId) },
    ProjectionExpression: 'leadId',
  };
  let removed = 0;
  for await (const { Items = [] } of paginateQuery({ client }, query)) {
    signal.throwIfAborted();
    const sets = Items.map(({ leadId }) => PARTS.map((part) => ({ leadId, part })));
    if (sets.length > 0) await deleteInTransactions(client, tables.leads, sets, signal);
    removed += sets.length;
  }
  return removed;
}

/** Returns how many senders were on the list. An empty list counts as one: it was there to be removed. */
export async function removeSenderList(
  { client, tables }: StoreContext<'workspaces'>,
  workspaceId: string,
  signal: AbortSignal,
): Promise<number> {
  const { Attributes } = await client.send(
    new DeleteCommand({
      TableName: tables.workspaces,
      Key: sendersKey(workspaceId),
      ReturnValues: 'ALL_OLD',
    }),
    { abortSignal: signal },
  );
  return Attributes ? Math.max(1, Object.keys(Attributes.senders ?? {}).length) : 0;
}

/** Returns whether anything had been learned from the verdicts, as a count. */
export async function removeLearned(
  { client, tables }: StoreContext<'workspaces'>,
  workspaceId: string,
  signal: AbortSignal,
): Promise<number> {
  const Key = learnedKey(workspaceId);
  const command = new DeleteCommand({ TableName: tables.workspaces, Key, ReturnValues: 'ALL_OLD' });
  return (await client.send(command, { abortSignal: signal })).Attributes ? 1 : 0;
}

const SEGMENTS = 8;

/**
 * What no index lists: notes of erasures, and an enrichment whose function died after its lead was deleted. Reads the
 * whole table. Returns how many items there were.
 */
export async function removeRemainsOfLeads(
  { client, tables }: StoreContext<'leads'>,
  workspaceId: string,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  async function scanSegment(Segment: number): Promise<void> {
    const scan = {
      TableName: tables.leads,
      FilterExpression: 'workspace = :workspaceId OR workspaceId = :workspaceId',
      ExpressionAttributeValues: { ':workspaceId': workspaceId },
      ProjectionExpression: 'leadId, part',
      ConsistentRead: true,
      Segment,
      TotalSegments: SEGMENTS,
    };
    for await (const { Items = [] } of paginateScan({ client }, scan)) {
      signal.throwIfAborted();
      if (Items.length > 0) await deleteItems(client, tables.leads, Items, signal);
      removed += Items.length;
    }
  }
  await Promise.all(Array.from({ length: SEGMENTS }, (_, segment) => scanSegment(segment)));
  return removed;
}
