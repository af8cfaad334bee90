import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { INDEXES } from '../contract.ts';
import { type IndexMessage, listBucket, wordBucket } from '../leads/search/index-entry.ts';
import { deleteItems } from './table-items-store.ts';

export interface LeadsToIndex {
  /** Expired leads that DynamoDB has not deleted yet count as well. */
  count(formId: string, signal: AbortSignal): Promise<number>;
  /** Page by page: only ids are read, no bodies. */
  messages(formId: string, signal: AbortSignal): AsyncGenerator<IndexMessage[]>;
}

/** The leads of a form, as the search index is told of them. */
export function makeLeadsToIndex({ client, tables }: StoreContext<'leads'>): LeadsToIndex {
  async function* pages(formId: string, select: object, signal: AbortSignal) {
    const query = {
      TableName: tables.leads,
      IndexName: INDEXES.leadsByForm,
      KeyConditionExpression: 'formId = :formId',
      ExpressionAttributeValues: { ':formId': formId },
      ...select,
    };
    for await (const page of paginateQuery({ client }, query)) {
      signal.throwIfAborted();
      yield page;
    }
  }

  return {
    async count(formId, signal) {
      let count = 0;
      for await (const { Count = 0 } of pages(formId, { Select: 'COUNT' }, signal)) count += Count;
      return count;
    },
    async *messages(formId, signal) {
      const ids = { ProjectionExpression: 'leadId, workspaceId' };
      for await (const { Items = [] } of pages(formId, ids, signal)) {
        yield Items.map(({ leadId, workspaceId }) => ({ type: 'lead.accepted', workspaceId, leadId }));
      }
    },
  };
}

const LOOK_AGAIN_MS = 1_000;

/** Returns once the queue is short, so that new leads need not wait behind very many others. */
export async function untilShort(
  client: SQSClient,
  QueueUrl: string,
  most: number,
  signal: AbortSignal,
): Promise<void> {
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  for (;;) {
    signal.throwIfAborted();
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames });
    const { Attributes } = await client.send(command, { abortSignal: signal });
    if (Number(Attributes?.ApproximateNumberOfMessages ?? 0) <= most) return;
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}

/**
 * Removes a workspace from the search index. Yields how many entries each page had. The list entries go last: they name
 * the others. What the indexer writes meanwhile, it removes itself, since it reads the lead again.
 */
export async function* removeFromIndex(
  { client, tables }: StoreContext<'leadIndex'>,
  workspaceId: string,
  signal: AbortSignal,
): AsyncGenerator<number> {
  const bucket = listBucket(workspaceId);
  const query = {
    TableName: tables.leadIndex,
    KeyConditionExpression: '#bucket = :bucket',
    ExpressionAttributeNames: { '#bucket': 'bucket' },
    ExpressionAttributeValues: { ':bucket': bucket },
    ProjectionExpression: 'leadId, buckets',
    ConsistentRead: true,
  };
  for await (const { Items = [] } of paginateQuery({ client }, query)) {
    signal.throwIfAborted();
    const words = Items.flatMap(({ leadId, buckets = [] }) =>
      (buckets as string[]).map((letters) => ({ bucket: wordBucket(workspaceId, letters), leadId })),
    );
    await deleteItems(client, tables.leadIndex, words, signal);
    const lists = Items.map(({ leadId }) => ({ bucket, leadId }));
    await deleteItems(client, tables.leadIndex, lists, signal);
    yield words.length + lists.length;
  }
}
