import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { makeDocumentClient, retryThrottled } from '#aws/dynamodb.ts';
import { countThrottles } from '#aws/table-throttles.ts';

type Answer = readonly [status: number, body: object];

const OK: Answer = [200, {}];
const failure = (name: string, more: object = {}): Answer => [
  400,
  { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'SECRET in a message', ...more },
];
const THROTTLES = ['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'];
const THROTTLED = failure(THROTTLES[0] as string);

/** Responds over HTTP as DynamoDB does: what was planned, then with success. */
const planned: Answer[] = [];
let calls = 0;
const server = createServer((request, response) => {
  calls += 1;
  const [status, body] = planned.shift() ?? OK;
  request.resume().on('end', () => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(body));
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

const lines: string[] = [];
// Without the SDK's pauses between attempts.
const retryStrategy = new ConfiguredRetryStrategy(3, () => 0);
const raw = new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials, retryStrategy });
countThrottles(raw, (line) => void lines.push(line));
const client = DynamoDBDocumentClient.from(raw);

beforeEach(() => {
  planned.length = 0;
  lines.length = 0;
  calls = 0;
});
afterAll(() => {
  client.destroy();
  server.close();
});

const get = new GetCommand({ TableName: 'Leads', Key: { id: 'SECRET' } });
const read = () => lines.map((line) => JSON.parse(line));
const tables = () => read().map((line) => line.tables);

test.each(THROTTLES)(
  '%s is counted once for each attempt, although the call succeeds in the end',
  async (name) => {
    planned.push(failure(name), failure(name));
    await client.send(get);
    expect(calls).toBe(3);
    expect(tables()).toEqual(['Leads', 'Leads']);
  },
);

test('the line is a metric without dimensions, and names the table and nothing else of the call', async () => {
  planned.push(THROTTLED);
  await client.send(get);
  expect(lines.join()).not.toContain('SECRET');
  expect(read()).toEqual([
    {
      level: 'WARN',
      code: 'dynamodb.throttled',
      tables: 'Leads',
      TableThrottles: 1,
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: 'LeadIngest',
            Dimensions: [[]],
            Metrics: [{ Name: 'TableThrottles', Unit: 'Count' }],
          },
        ],
      },
    },
  ]);
});

test('attempts of a call that fails in the end count too, and its error stays the same', async () => {
  planned.push(THROTTLED, THROTTLED, THROTTLED);
  await expect(client.send(get)).rejects.toMatchObject({
    name: 'ProvisionedThroughputExceededException',
    $metadata: { attempts: 3 },
  });
  expect(lines).toHaveLength(3);
});

test('what is repeated until a deadline is counted as often as DynamoDB refused it, by any of the names', async () => {
  // The SDK gives up after three each time.
  for (const name of THROTTLES) planned.push(failure(name), failure(name), failure(name));
  await retryThrottled(() => client.send(get), AbortSignal.timeout(5_000));
  expect(lines).toHaveLength(9);
});

describe('a batch', () => {
  const RequestItems = { Leads: { Keys: [{ id: '1' }] }, Forms: { Keys: [{ id: '2' }] } };

  test('of which a part was throttled counts, with the table of that part', async () => {
    planned.push([200, { Responses: {}, UnprocessedKeys: { Forms: { Keys: [{ id: { S: '2' } }] } } }]);
    await client.send(new BatchGetCommand({ RequestItems }));
    const request = { DeleteRequest: { Key: { id: '1' } } };
    planned.push([
      200,
      { UnprocessedItems: { LeadIndex: [{ DeleteRequest: { Key: { id: { S: '1' } } } }] } },
    ]);
    await client.send(new BatchWriteCommand({ RequestItems: { LeadIndex: [request] } }));
    expect(tables()).toEqual(['Forms', 'LeadIndex']);
  });

  test('that was throttled as a whole counts, with all its tables', async () => {
    planned.push(THROTTLED);
    await client.send(new BatchGetCommand({ RequestItems }));
    expect(tables()).toEqual(['Leads,Forms']);
  });

  test('that was done counts not', async () => {
    planned.push([200, { Responses: {}, UnprocessedKeys: {} }]);
    await client.send(new BatchGetCommand({ RequestItems }));
    expect(lines).toEqual([]);
  });
});

describe('a transaction', () => {
  const transaction = new TransactWriteCommand({
    TransactItems: [
      { Put: { TableName: 'Leads', Item: { id: '1' } } },
      { Update: { TableName: 'Idempotency', Key: { id: '1' }, UpdateExpression: 'SET a = b' } },
    ],
  });
  const canceled = (...codes: readonly string[]) =>
    failure('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

  test.each([
    [canceled('None', 'ThrottlingError'), 'Idempotency'],
    [canceled('ProvisionedThroughputExceeded', 'None'), 'Leads'],
    [THROTTLED, 'Leads,Idempotency'],
  ])('counts, with the tables that were throttled: %#', async (answer, expected) => {
    planned.push(answer);
    await client.send(transaction).catch(() => undefined);
    expect(tables()).toEqual([expected]);
  });

  test.each([[canceled('TransactionConflict', 'None')], [canceled('ConditionalCheckFailed', 'None')]])(
    'counts not if it was canceled for another reason: %#',
    async (answer) => {
      planned.push(answer);
      await expect(client.send(transaction)).rejects.toThrow();
      expect(lines).toEqual([]);
    },
  );
});

test.each([['ConditionalCheckFailedException'], ['ResourceNotFoundException'], ['ValidationException']])(
  '%s counts not',
  async (name) => {
    planned.push(failure(name));
    await expect(client.send(new PutCommand({ TableName: 'Leads', Item: { id: '1' } }))).rejects.toThrow();
    expect(lines).toEqual([]);
  },
);

test('every function has the counter, and writes to its log', async () => {
  // What a test changes here does not reach the next file.
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  const { write } = process.stdout;
  process.stdout.write = (line: unknown) => lines.push(String(line)) > 0;
  const ours = makeDocumentClient();
  try {
    planned.push(THROTTLED);
    await ours.send(get);
  } finally {
    process.stdout.write = write;
    ours.destroy();
  }
  expect(tables()).toEqual(['Leads']);
});

// The counter of throttled attempts belongs to the client. One that is made elsewhere would not be counted.
test('functions make their clients of DynamoDB in one place', () => {
  const files = readdirSync('lambdas', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const making = files.filter((file) =>
    readFileSync(`lambdas/${file}`, 'utf8').includes('new DynamoDBClient('),
  );
  expect(making).toEqual(['aws/dynamodb.ts']);
});
