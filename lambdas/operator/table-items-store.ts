import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  paginateScan,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { isConflict, pauseBeforeRetry } from '../aws/dynamodb.ts';
import { learnedKey } from '../model/learned.ts';

export type Item = Readonly<Record<string, unknown>>;

/** One item as a line of text, in the format of DynamoDB's export to S3 and import. */
export function toItemLine(item: Item): string {
  return `${JSON.stringify({ Item: bytesAsText(marshall(item, { removeUndefinedValues: true })) })}\n`;
}

/** Throws where the line is no item. */
export function fromItemLine(line: string): Item {
  const { Item } = JSON.parse(line) as { Item: Values };
  return unmarshall(textAsBytes(Item) as Record<string, AttributeValue>);
}

type Values = Readonly<Record<string, unknown>>;

/** JSON has no bytes, so they are base64, as in DynamoDB's own JSON. */
function bytesAsText(values: Values): Values {
  return convert(values, (bytes) => Buffer.from(bytes as Uint8Array).toString('base64'));
}

function textAsBytes(values: Values): Values {
  return convert(values, (text) => Buffer.from(text as string, 'base64'));
}

function convert(values: Values, binary: (value: unknown) => unknown): Values {
  const one = (value: Values): Values => {
    const [[type, content] = []] = Object.entries(value);
    if (type === 'B') return { B: binary(content) };
    if (type === 'BS') return { BS: (content as unknown[]).map(binary) };
    if (type === 'M') return { M: convert(content as Values, binary) };
    if (type === 'L') return { L: (content as Values[]).map(one) };
    return value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, one(value as Values)]));
}

/** All items of a table, page by page, each as it is when its page is read. The parts of a lead follow each other. */
export async function* readTable(
  client: DynamoDBDocumentClient,
  table: string,
  signal: AbortSignal,
): AsyncGenerator<Item[]> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName: table, ConsistentRead: true })) {
    signal.throwIfAborted();
    if (Items.length > 0) yield Items;
  }
}

/** What was learned from verdicts is not backed up: it is learned again from those that are restored. */
export function isLearned({ workspaceId }: Item): boolean {
  return String(workspaceId).startsWith(learnedKey('').workspaceId);
}

export type Key = Readonly<Record<string, unknown>>;

/** As many as one BatchWriteItem takes, and as many writes as one transaction takes. */
const BATCH = 25;
const TRANSACTION = 100;
/** Enough to hide the way to AWS and back; a table on demand throttles beyond what it is used to, and is retried. */
const CONCURRENCY = 8;

/** Deletes items of one table. Deleting what is gone is no error, so that everything may be repeated. */
export async function deleteItems(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly Key[],
  signal: AbortSignal,
): Promise<void> {
  await inParallel(groupsOf(keys, BATCH), async (group) => {
    let pending = { [table]: group.map((key) => ({ DeleteRequest: { Key: { ...key } } })) };
    for (let attempt = 0; Object.keys(pending).length > 0; attempt += 1) {
      // What was throttled comes back as unprocessed, with status 200: the SDK does not retry it.
      if (attempt > 0) await pauseBeforeRetry(attempt, signal);
      const { UnprocessedItems = {} } = await client.send(new BatchWriteCommand({ RequestItems: pending }), {
        abortSignal: signal,
      });
      pending = UnprocessedItems as typeof pending;
    }
  });
}

/** Deletes each `set` of keys in one transaction: all of them or none. */
export async function deleteInTransactions(
  client: DynamoDBDocumentClient,
  table: string,
  sets: readonly (readonly Key[])[],
  signal: AbortSignal,
): Promise<void> {
  const setsInOne = Math.max(1, Math.floor(TRANSACTION / (sets[0]?.length ?? 1)));
  await inParallel(groupsOf(sets, setsInOne), async (group) => {
    const TransactItems = group.flat().map((key) => ({ Delete: { TableName: table, Key: { ...key } } }));
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.send(new TransactWriteCommand({ TransactItems }), { abortSignal: signal });
        return;
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
      await pauseBeforeRetry(attempt, signal);
    }
  });
}

export function groupsOf<Each>(all: readonly Each[], size: number): Each[][] {
  const groups: Each[][] = [];
  for (let from = 0; from < all.length; from += size) groups.push(all.slice(from, from + size));
  return groups;
}

export async function inParallel<Each>(
  all: readonly Each[],
  work: (each: Each) => Promise<void>,
): Promise<void> {
  const waiting = [...all];
  async function runWorker() {
    for (let next = waiting.shift(); next; next = waiting.shift()) await work(next);
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, waiting.length) }, runWorker));
}
