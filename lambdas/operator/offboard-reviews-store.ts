import { DeleteCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { INDEXES } from '../contract.ts';
import { reviewsOf } from '../model/review-item.ts';
import { sendersKey } from '../model/senders.ts';
import { deleteInTransactions } from './table-items-store.ts';

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
