import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { INDEXES } from '../contract.ts';
import { formerKeysOf, formerListBucket } from '../leads/search/former-index-store.ts';
import {
  type IndexMessage,
  isTombstone,
  keysIn,
  listBucket,
  monthsBucket,
  personBucket,
} from '../leads/search/index-entry.ts';
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
        yield Items.map(({ leadId, workspaceId }) => ({ type: 'lead.reindexed', workspaceId, leadId }));
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

/** All entries of a partition, page by page. */
async function* partition(
  { client, tables }: StoreContext<'leadIndex'>,
  bucket: string,
  signal: AbortSignal,
): AsyncGenerator<Record<string, unknown>[]> {
  const query = {
    TableName: tables.leadIndex,
    KeyConditionExpression: '#bucket = :bucket',
    ExpressionAttributeNames: { '#bucket': 'bucket' },
    ExpressionAttributeValues: { ':bucket': bucket },
    ConsistentRead: true,
  };
  for await (const { Items = [] } of paginateQuery({ client }, query)) {
    signal.throwIfAborted();
    yield Items;
  }
}

/** Removes what versions before this one wrote. Yields how many entries each page had. */
export async function* removeFormerIndex(
  context: StoreContext<'leadIndex'>,
  workspaceId: string,
  signal: AbortSignal,
): AsyncGenerator<number> {
  for await (const entries of partition(context, formerListBucket(workspaceId), signal)) {
    const keys = entries.flatMap((entry) => formerKeysOf(workspaceId, entry));
    await deleteItems(context.client, context.tables.leadIndex, keys, signal);
    yield keys.length;
  }
}

/**
 * Removes a workspace from the search index. Yields how many entries each page had. Entries of people go first, since list
 * entries and tombstones name them; tombstones go last, so that until then no late message brings an entry back.
 */
export async function* removeFromIndex(
  context: StoreContext<'leadIndex'>,
  workspaceId: string,
  signal: AbortSignal,
): AsyncGenerator<number> {
  yield* removeFormerIndex(context, workspaceId, signal);
  const { client, tables } = context;
  const tombstones: Record<string, unknown>[] = [];
  const months: Record<string, unknown>[] = [];
  for await (const page of partition(context, monthsBucket(workspaceId), signal)) {
    for (const { leadId: month } of page) {
      months.push({ bucket: monthsBucket(workspaceId), leadId: month });
      for await (const entries of partition(context, listBucket(workspaceId, String(month)), signal)) {
        const people = entries.flatMap((entry) =>
          keysIn(entry).map((key) => ({ bucket: personBucket(workspaceId, key), leadId: entry.leadId })),
        );
        const keyOf = ({ bucket, leadId }: Record<string, unknown>) => ({ bucket, leadId });
        tombstones.push(...entries.filter(isTombstone).map(keyOf));
        const listed = entries.filter((entry) => !isTombstone(entry)).map(keyOf);
        await deleteItems(client, tables.leadIndex, people, signal);
        await deleteItems(client, tables.leadIndex, listed, signal);
        yield people.length + listed.length;
      }
    }
  }
  await deleteItems(client, tables.leadIndex, [...tombstones, ...months], signal);
  yield tombstones.length;
}
