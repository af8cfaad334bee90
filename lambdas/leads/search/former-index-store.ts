import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchWrite } from '../../aws/batch-write.ts';
import type { StoreContext } from '../../aws/dynamodb.ts';
import type { LeadAddress } from './index-entry.ts';

// What versions before 0.2 wrote: one partition for the list, and an entry for each word. Nothing reads it any more.

export const formerListBucket = (workspaceId: string): string => `list#${workspaceId}`;

export const formerListKey = ({ workspaceId, leadId }: LeadAddress) => ({
  bucket: formerListBucket(workspaceId),
  leadId,
});

/** The keys of all entries that an entry of the former list names, itself last. */
export function formerKeysOf(
  workspaceId: string,
  { leadId, buckets = [] }: Readonly<Record<string, unknown>>,
) {
  const words = (buckets as string[]).map((letters) => `${workspaceId}#${letters}`);
  return [...words, formerListBucket(workspaceId)].map((bucket) => ({ bucket, leadId }));
}

/** Whether the workspace has leads that may not be in the index yet, since nobody has made it again after the upgrade. */
export async function hasFormerEntries(
  { client, tables }: StoreContext<'leadIndex'>,
  workspaceId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const query = new QueryCommand({
    TableName: tables.leadIndex,
    KeyConditionExpression: '#bucket = :bucket',
    // A reserved word.
    ExpressionAttributeNames: { '#bucket': 'bucket' },
    ExpressionAttributeValues: { ':bucket': formerListBucket(workspaceId) },
    ConsistentRead: true,
    Limit: 1,
  });
  const { Items = [] } = await client.send(query, { abortSignal: signal });
  return Items.length > 0;
}

/** Removes the former entries of one lead, so that erasing it leaves none even before the index was made again. */
export async function removeFormerEntries(
  { client, tables }: StoreContext<'leadIndex'>,
  workspaceId: string,
  listed: Readonly<Record<string, unknown>> | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (!listed) return;
  const requests = formerKeysOf(workspaceId, listed).map((Key) => ({ DeleteRequest: { Key } }));
  await batchWrite(client, tables.leadIndex, requests, signal);
}
