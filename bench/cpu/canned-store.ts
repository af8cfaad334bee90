/** A separate process that responds to DynamoDB and SQS calls at once, so that only the caller's work is measured. */

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeIngestToken } from '../../lambdas/model/ingest-token.ts';
import { SHELF_TABLES } from '../engines/contender-names.ts';
import type { WireInput, WireItem } from '../units/wire-calls.ts';

/** The content of the canned store: one sender for every key. Idempotency keys are always new. */
export const CANNED_TOKEN = makeIngestToken('server', Buffer.alloc(32, 7));

export const OUR_TABLES = {
  workspaces: 'Workspaces',
  tokens: 'Tokens',
  forms: 'Forms',
  idempotency: 'Idempotency',
  leads: 'Leads',
  rejections: 'Rejections',
  unauthenticatedRejections: 'UnauthenticatedRejections',
  diagnostics: 'Diagnostics',
} as const;

type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const workspaceId = { S: 'ws_2wVQ0zqvJ3gqkVf3yQ9dJb' };
const formId = { S: 'form_7hYt1mDk2bLr9xQe4sWnUc' };
const slug = { S: 'contact-x7k2m9' };

const CANNED_ITEMS: Readonly<Record<string, Item>> = {
  [OUR_TABLES.tokens]: {
    tokenId: { S: 'tok_5' },
    workspaceId,
    formId,
    slug,
    type: { S: 'server' },
    v: { N: '1' },
    name: { S: 'Demo token' },
    lastFour: { S: 'abcd' },
    createdAt: { S: '2026-11-15T12:00:00.000Z' },
  },
  [OUR_TABLES.workspaces]: {
    workspaceId,
    name: { S: 'Demo' },
    status: { S: 'active' },
    configVersion: { N: '3' },
    v: { N: '1' },
    createdAt: { S: '2026-11-15T12:00:00.000Z' },
  },
  [OUR_TABLES.forms]: {
    slug,
    formId,
    workspaceId,
    name: { S: 'Contact' },
    active: { BOOL: true },
    v: { N: '1' },
    createdAt: { S: '2026-11-15T12:00:00.000Z' },
  },
  [SHELF_TABLES.tokens]: { workspaceId, formId },
};

interface Asked extends WireInput {
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ReturnValues?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly MessageBody?: string;
}

type Reply = readonly [status: number, body: unknown];

const REFUSED: Reply = [
  400,
  {
    __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
    message: 'The conditional request failed',
  },
];

function found(table: string, key: WireItem = {}): WireItem | undefined {
  const item = CANNED_ITEMS[table];
  return item && { ...item, ...key };
}

const REPLIES: Readonly<Record<string, (asked: Asked) => Reply>> = {
  GetItem: ({ TableName = '', Key }) => [200, { Item: found(TableName, Key) }],
  BatchGetItem: ({ RequestItems = {} }) => {
    const asked = Object.entries(RequestItems);
    const Responses = asked.map(([table, keys]) => [
      table,
      'Keys' in keys ? keys.Keys.flatMap((key) => found(table, key) ?? []) : [],
    ]);
    return [200, { Responses: Object.fromEntries(Responses), UnprocessedKeys: {} }];
  },
  PutItem: () => [200, {}],
  TransactWriteItems: () => [200, {}],
  UpdateItem: (asked) => {
    // A limiter in use: its window has begun, so its first call fails and its second one counts.
    if (asked.ConditionExpression?.includes('attribute_not_exists(points)')) return REFUSED;
    if (asked.UpdateExpression === 'SET points = points + :new_points') {
      return [200, { Attributes: { ...asked.Key, points: { N: '5' }, expire: { N: '4102444800' } } }];
    }
    if (asked.ReturnValues === undefined) return [200, {}];
    const counters = Object.values(asked.ExpressionAttributeNames ?? {}).filter((name) => /^n1/.test(name));
    const counted = Object.fromEntries(counters.map((name) => [name, { N: '5' }]));
    return [200, { Attributes: { ...found(asked.TableName ?? '', asked.Key), ...counted } }];
  },
  SendMessage: ({ MessageBody = '' }) => [
    200,
    {
      MessageId: '5fea7756-0ea4-451a-a703-a558b933e274',
      MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
    },
  ],
};

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const action = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const reply = REPLIES[action]?.(JSON.parse(Buffer.concat(chunks).toString()) as Asked);
    const [status, body] = reply ?? [400, { __type: 'UnknownOperationException', message: action }];
    const text = JSON.stringify(body);
    response.writeHead(status, {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': Buffer.byteLength(text),
      'x-amzn-requestid': 'BENCH',
    });
    response.end(text);
  });
});
// The worker imports the token.
if (import.meta.main) {
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit());
}
