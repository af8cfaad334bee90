import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { TableNames } from '#aws/dynamodb.ts';

export type Members = Record<string, unknown>;
type Key = keyof TableNames;

const on =
  (kind: Call['kind']) =>
  (tableKey: Key, members: Members): Call => ({
    kind,
    input: (tables) => ({ TableName: tables[tableKey], ...members }),
  });

export const put = on('put');
export const update = on('update');
export const remove = on('delete');
export const get = on('get');
export const query = on('query');
const scan = on('scan');

export function transact(
  items: readonly (readonly [action: string, tableKey: Key, members: Members])[],
  token?: string,
): Call {
  return {
    kind: 'transact',
    input: (tables) => ({
      ...(token && { ClientRequestToken: token }),
      TransactItems: items.map(([action, tableKey, members]) => ({
        [action]: { TableName: tables[tableKey], ...members },
      })),
    }),
  };
}

export function batchGet(keys: Partial<Record<Key, Members[]>>, more: Members = {}): Call {
  return {
    kind: 'batchGet',
    input: (tables) => ({
      RequestItems: Object.fromEntries(
        Object.entries(keys).map(([tableKey, Keys]) => [tables[tableKey as Key], { Keys, ...more }]),
      ),
    }),
  };
}
export const OLD_ON_FAILURE = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
export const workspaceId = 'ws';
export const token = {
  tokenHash: 't',
  tokenId: 'tok_1',
  workspaceId,
  slug: 'contact',
  formId: 'form',
  type: 'server',
};

/** DynamoDB Local, or the double. */
export interface Engine {
  readonly client: DynamoDBDocumentClient;
  readonly tables: TableNames;
}

const COMMANDS = {
  get: GetCommand,
  batchGet: BatchGetCommand,
  query: QueryCommand,
  scan: ScanCommand,
  put: PutCommand,
  update: UpdateCommand,
  delete: DeleteCommand,
  batchWrite: BatchWriteCommand,
  transact: TransactWriteCommand,
};

/** One call that either engine can run. */
export interface Call {
  readonly kind: keyof typeof COMMANDS;
  readonly input: (tables: TableNames) => Record<string, unknown>;
}

/** Everything that a caller can see of a call. */
export interface Outcome {
  readonly output?: unknown;
  readonly error?: string;
  readonly item?: unknown;
  readonly reasons?: unknown;
}

export async function outcomesOf(engine: Engine, calls: readonly Call[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const call of calls) outcomes.push(await outcomeOf(engine, call));
  return outcomes;
}

async function outcomeOf({ client, tables }: Engine, { kind, input }: Call): Promise<Outcome> {
  const Command = COMMANDS[kind] as unknown as typeof PutCommand;
  try {
    // DynamoDB Local returns the capacity of a delete that found nothing even when not requested.
    const sent = await client.send(new Command(input(tables) as never));
    const { $metadata: _, ConsumedCapacity: __, ...output } = sent;
    return { output: withTableNouns(output, tables) };
  } catch (error) {
    const { name, Item, CancellationReasons } = error as TransactionCanceledException & { Item?: unknown };
    return {
      error: name,
      ...(Item !== undefined && { item: Item }),
      // Without the messages: DynamoDB Local ends some of them with a period, and no code reads them.
      ...(error instanceof TransactionCanceledException && {
        reasons: CancellationReasons?.map(({ Message: _, ...reason }) => reason),
      }),
    };
  }
}

/** Batch responses are keyed by table, and the engines' tables have different names. */
function withTableNouns(output: object, tables: TableNames): unknown {
  let text = JSON.stringify(output, (_, value: unknown) => (value === undefined ? null : value));
  for (const [tableKey, name] of Object.entries(tables))
    text = text.replaceAll(JSON.stringify(name), `"${tableKey}"`);
  return JSON.parse(text);
}

function batchWrite(writes: Partial<Record<keyof TableNames, readonly Members[]>>): Call {
  return {
    kind: 'batchWrite',
    input: (tables) => ({
      RequestItems: Object.fromEntries(
        Object.entries(writes).map(([tableKey, requests]) => [
          tables[tableKey as keyof TableNames],
          requests,
        ]),
      ),
    }),
  };
}

const putEvent = (sk: string, requestId: string) => ({
  PutRequest: {
    Item: { workspaceId, sk, requestId, detail: { length: 3 }, keyNames: ['a', 'b'] },
  },
});
const deleteEvent = (sk: string) => ({ DeleteRequest: { Key: { workspaceId, sk } } });
const putRejection = { PutRequest: { Item: { requestId: 'r1', sk: 'ws#1', detail: {}, formId: null } } };
const many = (count: number) => Array.from({ length: count }, (_, at) => putEvent(`event#${at}`, `r${at}`));

const see = [
  query('diagnostics', {
    KeyConditionExpression: 'workspaceId = :workspaceId',
    ExpressionAttributeValues: { ':workspaceId': workspaceId },
    ConsistentRead: true,
  }),
  get('rejections', { Key: { requestId: 'r1', sk: 'ws#1' }, ConsistentRead: true }),
];

/** Moves a shard's watermark and increments two counters. */
const count = (from: string | undefined, to: string) =>
  transact([
    [
      'Put',
      'diagnostics',
      {
        Item: {
          workspaceId: 'watermark#shard',
          sk: 'stream',
          sequenceNumber: to,
          expiresAt: 9,
          v: 1,
        },
        ConditionExpression: from === undefined ? 'attribute_not_exists(sk)' : 'sequenceNumber = :from',
        ...(from !== undefined && { ExpressionAttributeValues: { ':from': from } }),
      },
    ],
    [
      'Update',
      'diagnostics',
      {
        Key: { workspaceId, sk: 'rejected#1' },
        UpdateExpression: 'ADD m07 :m07, m08 :m08 SET latestAt = :latestAt, expiresAt = :expiresAt, v = :v',
        ExpressionAttributeValues: { ':m07': 2, ':m08': 1, ':latestAt': to, ':expiresAt': 9, ':v': 2 },
      },
    ],
  ]);

/** The calls of the rejection recorder, and how offboarding looks for rejections. */
export const RECORDER_CASES: Readonly<Record<string, readonly Call[]>> = {
  'a scan finds what fits its filter': [
    batchWrite({ rejections: [putRejection], diagnostics: many(3) }),
    scan('rejections', { ConsistentRead: true, Segment: 0, TotalSegments: 1 }),
    scan('diagnostics', {
      FilterExpression: 'begins_with(sk, :prefix) OR requestId = :requestId',
      ExpressionAttributeValues: { ':prefix': 'event#2', ':requestId': 'nobody' },
      ProjectionExpression: 'workspaceId, sk',
    }),
    scan('diagnostics', {
      FilterExpression: 'sk = :sk',
      ExpressionAttributeValues: { ':sk': 'a', ':other': 'b' },
    }),
  ],
  'counters rise with their watermark, or not at all': [
    count('1', '5'),
    ...[count(undefined, '5'), count(undefined, '5'), count('5', '9'), count('5', '7'), ...see],
    get('diagnostics', {
      Key: { workspaceId: 'watermark#shard', sk: 'stream' },
      ConsistentRead: true,
    }),
  ],
  'a batch of writes puts, replaces and deletes, in several tables': [
    put('diagnostics', { Item: { workspaceId, sk: 'event#3' } }),
    batchWrite({ diagnostics: [putEvent('event#1', 'r1'), putEvent('event#2', 'r2')] }),
    batchWrite({
      diagnostics: [putEvent('event#1', 'r9'), deleteEvent('event#3'), deleteEvent('event#4')],
      rejections: [putRejection],
    }),
    ...see,
  ],
  'a batch of writes is refused as a whole': [
    batchWrite({ diagnostics: many(26) }),
    batchWrite({ diagnostics: many(25), rejections: [putRejection] }),
    batchWrite({ diagnostics: [putEvent('event#1', 'r1'), putEvent('event#1', 'r2')] }),
    batchWrite({ diagnostics: [putEvent('event#1', 'r1'), deleteEvent('event#1')] }),
    batchWrite({ diagnostics: [putEvent('event#1', 'r1'), putEvent('', 'r2')] }),
    batchWrite({ diagnostics: [] }),
    batchWrite({}),
    ...see,
    batchWrite({ diagnostics: many(25) }),
    ...see,
  ],
};
