import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeValue,
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { TableKey } from '../contract.ts';
import { makeRequestSigner } from './request-signer.ts';
import { onShortPath, openShortPath } from './short-path.ts';
import { makeSocketPool } from './socket-pool.ts';
import { countThrottles, isThrottled } from './table-throttles.ts';

interface ClientPatience {
  readonly maxAttempts: number;
  readonly timeoutMilliseconds: number;
}

/** A stalled connection is dropped long before the submission's own deadline, which leaves time for a second try. */
const PATIENT: ClientPatience = { maxAttempts: 3, timeoutMilliseconds: 1_500 };

/**
 * For a logger that nobody sets, for headers that DynamoDB does not read, and for a length that Node sets by itself.
 * They take about 6 % of a request's CPU time.
 */
const UNUSED_MIDDLEWARE = [
  'loggerMiddleware',
  'getUserAgentMiddleware',
  'recursionDetectionMiddleware',
  'contentLengthMiddleware',
];

export function makeDocumentClient(
  sockets = makeSocketPool(),
  { maxAttempts, timeoutMilliseconds }: ClientPatience = PATIENT,
): DynamoDBDocumentClient {
  const signer = makeRequestSigner(() => client.config);
  const client: DynamoDBClient = new DynamoDBClient({
    maxAttempts,
    requestHandler: sockets(timeoutMilliseconds),
    signer,
  });
  for (const name of UNUSED_MIDDLEWARE) client.middlewareStack.remove(name);
  // Every command copies the configuration three times. The SDK builds it in a way that V8 keeps as a dictionary, which
  // takes a hundred times as long to copy as the same object written in one piece.
  Object.assign(client, { config: { ...client.config } });
  openShortPath(client, signer, countThrottles(client));
  return toDocumentClient(client);
}

export function toDocumentClient(client: DynamoDBClient): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

export type TableNames = Readonly<Record<TableKey, string>>;

/** What a store needs: a client, and the names of the tables that it may touch. */
export interface StoreContext<Keys extends TableKey> {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Pick<TableNames, Keys>;
}

const RETRYABLE_NAMES = new Set(['TransactionConflictException', 'TransactionInProgressException']);

/** Another request held the item. The SDK does not retry these errors, and AWS sends no item with them. */
export function isConflict(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None');
    return (
      codes.some((code) => code === 'TransactionConflict' || isThrottled(code)) &&
      !codes.includes('ConditionalCheckFailed')
    );
  }
  return error instanceof Error && RETRYABLE_NAMES.has(error.name);
}

/** A throttled call did nothing, so it can be repeated until the deadline. The SDK gives up after three attempts. */
export async function retryThrottled<HttpResponse>(
  send: () => Promise<HttpResponse>,
  signal: AbortSignal,
): Promise<HttpResponse> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Error && isThrottled(error.name))) throw error;
      // If the deadline passes during the pause, the log names the original error.
      await pauseBeforeRetry(attempt, signal).catch(() => Promise.reject(error));
    }
  }
}

const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 400;

/** Full jitter: duplicates that collided once must not collide in step again. Rejects when the deadline passes. */
export async function pauseBeforeRetry(attempt: number, signal: AbortSignal): Promise<void> {
  const ceiling = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  await sleep(1 + Math.random() * ceiling, undefined, { signal });
}

export interface ItemAddress {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
  /** Attributes to read, the key included; the same for every item of a table. */
  readonly attributes?: readonly string[];
}

type Item = Record<string, unknown>;

interface TableRequest {
  readonly Keys: Record<string, AttributeValue>[];
  readonly ConsistentRead: boolean;
  readonly ProjectionExpression: string | undefined;
}

/** Reads items of several tables in one strongly consistent call and returns them in the order asked for. */
export async function batchGet(
  client: DynamoDBDocumentClient,
  addresses: readonly ItemAddress[],
  signal: AbortSignal,
): Promise<(Item | undefined)[]> {
  const found: Record<string, Item[]> = {};
  let pending: NonNullable<BatchGetItemCommandOutput['UnprocessedKeys']> = requestFor(addresses);
  for (let attempt = 0; Object.keys(pending).length > 0; attempt += 1) {
    // A throttled key comes back as unprocessed, with status 200: the SDK does not retry it.
    if (attempt > 0) await pauseBeforeRetry(attempt, signal);
    const command = onShortPath(new BatchGetItemCommand({ RequestItems: pending }));
    const { Responses = {}, UnprocessedKeys = {} } = await client.send(command, { abortSignal: signal });
    for (const [table, items] of Object.entries(Responses)) {
      found[table] = [...(found[table] ?? []), ...items.map((item) => unmarshall(item))];
    }
    pending = UnprocessedKeys;
  }
  return addresses.map(({ table, key }) => found[table]?.find((item) => hasKey(key, item)));
}

/** Cheap on purpose: an item that exists must not take longer than one that does not. */
function hasKey(key: ItemAddress['key'], item: Item): boolean {
  for (const name in key) if (item[name] !== key[name]) return false;
  return true;
}

function requestFor(addresses: readonly ItemAddress[]) {
  const request: Record<string, TableRequest> = {};
  for (const { table, key, attributes } of addresses) {
    request[table] ??= { Keys: [], ConsistentRead: true, ProjectionExpression: attributes?.join(', ') };
    request[table].Keys.push(marshall(key));
  }
  return request;
}

/** The items of one partition whose sort keys lie in a range. */
export interface SortedRange {
  readonly table: string;
  readonly workspaceId: string;
  readonly keys: readonly [first: string, last: string];
  /** Skips items that expired before this time: DynamoDB deletes them late. */
  readonly liveAtSeconds?: number;
}

type SortedItem = Record<string, unknown> & { readonly sk: string };

/** DynamoDB returns pages of 1 MB. */
const MAX_PAGES = 15;

/**
 * Passes items to `take`, newest first, until it returns false or the page limit is reached. Returns the sort key at
 * which it stopped, or undefined at the end: only the oldest items are ever left out.
 */
export async function readBackwards(
  client: DynamoDBDocumentClient,
  range: SortedRange,
  take: (item: SortedItem) => boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  let startKey: Record<string, unknown> | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const command = new QueryCommand({ ...backwardsQuery(range), ExclusiveStartKey: startKey });
    const { Items = [], LastEvaluatedKey } = await client.send(command, { abortSignal: signal });
    for (const item of Items as SortedItem[]) {
      if (!take(item)) return item.sk;
    }
    if (!LastEvaluatedKey) return undefined;
    startKey = LastEvaluatedKey;
  }
  return startKey?.sk as string;
}

export function backwardsQuery({ table, workspaceId, keys: [first, last], liveAtSeconds }: SortedRange) {
  return {
    TableName: table,
    KeyConditionExpression: 'workspaceId = :workspaceId AND sk BETWEEN :first AND :last',
    ...(liveAtSeconds !== undefined && { FilterExpression: 'expiresAt > :liveAt' }),
    ExpressionAttributeValues: {
      ':workspaceId': workspaceId,
      ':first': first,
      ':last': last,
      ...(liveAtSeconds !== undefined && { ':liveAt': liveAtSeconds }),
    },
    ScanIndexForward: false,
  };
}

/** Whether the write was made. */
export async function unlessConditionFails(sent: Promise<unknown>): Promise<boolean> {
  try {
    await sent;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
