import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { makeRequestSigner } from '#aws/request-signer.ts';
import { onShortPath, openShortPath } from '#aws/short-path.ts';
import { makeSocketPool } from '#aws/socket-pool.ts';
import { countThrottles } from '#aws/table-throttles.ts';

type Answer = readonly [status: number, body: string] | 'reset' | 'silence';

const failure = (name: string, more: object = {}): Answer => [
  400,
  JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'no', ...more }),
];
const THROTTLED = failure('ProvisionedThroughputExceededException');
const CONDITION = failure('ConditionalCheckFailedException', { Item: { leadId: { S: 'taken' } } });
const COUNTED: Answer = [200, '{"Attributes":{"n1a#minute":{"N":"7"},"name":{"S":"Ünï"}}}'];

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Responds as DynamoDB does: with what was planned, then with success. */
let planned: Answer[] = [];
let received: Received[] = [];
const server = createServer((request, response) => {
  const answer = planned.shift() ?? [200, '{}'];
  const { method, url, headers } = request;
  let body = '';
  request.setEncoding('utf8').on('data', (text) => {
    body += text;
  });
  request.on('end', () => {
    received.push({ method, url, headers, body });
    if (answer === 'reset') return request.socket.destroy();
    if (answer === 'silence') return undefined;
    response.writeHead(answer[0], { 'content-type': 'application/x-amz-json-1.0' });
    return response.end(answer[1]);
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  planned = [];
  received = [];
});

let lines: string[] = [];

function makeClient(pause = 0): DynamoDBClient {
  const signer = makeRequestSigner(() => client.config);
  const client: DynamoDBClient = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local', sessionToken: 'session' },
    retryStrategy: new ConfiguredRetryStrategy(3, () => pause),
    requestHandler: makeSocketPool()(300),
    signer,
  });
  openShortPath(
    client,
    signer,
    countThrottles(client, (line) => void lines.push(JSON.parse(line).tables)),
  );
  return client;
}

const put = () =>
  new PutItemCommand({
    TableName: 'Leads',
    Item: { leadId: { S: 'Ünï 1' }, body: { B: Buffer.from([0, 255, 10]) }, score: { N: '57' } },
    ConditionExpression: 'attribute_not_exists(leadId)',
  });
const count = () =>
  new UpdateItemCommand({
    TableName: 'Workspaces',
    Key: { workspaceId: { S: 'ws_1' } },
    UpdateExpression: 'ADD #minute :one',
    ExpressionAttributeNames: { '#minute': 'n1a#minute' },
    ExpressionAttributeValues: { ':one': { N: '1' } },
    ReturnValues: 'ALL_NEW',
  });

const read = () =>
  new BatchGetItemCommand({ RequestItems: { Leads: { Keys: [{ leadId: { S: 'Ünï 1' } }] } } });
const write = () =>
  new BatchWriteItemCommand({
    RequestItems: { Leads: [{ DeleteRequest: { Key: { leadId: { S: 'Ünï 1' } } } }] },
  });
const pair = () =>
  new TransactWriteItemsCommand({
    ClientRequestToken: 'once',
    TransactItems: [{ Put: { TableName: 'Leads', Item: { leadId: { S: 'Ünï 1' } } } }],
  });

/** Sent with every command, and read by nobody: neither is signed. */
const BY_MIDDLEWARE = ['amz-sdk-invocation-id', 'amz-sdk-request', 'user-agent', 'x-amz-user-agent'];
const BY_TIME = ['x-amz-date', 'authorization', 'connection', 'keep-alive'];

function comparable({ headers, ...rest }: Received) {
  const skipped = [...BY_MIDDLEWARE, ...BY_TIME];
  const scope = headers.authorization?.replace(/Signature=.*|\d{8}/g, '');
  return {
    ...rest,
    scope,
    headers: Object.entries(headers).filter(([name]) => !skipped.includes(name)),
  };
}

test.each(Object.entries({ put, count, read, write, pair }) as [string, typeof put][])(
  '%s sends the request that the whole way sends',
  async (_, make) => {
    const client = makeClient();
    await client.send(make());
    await client.send(onShortPath(make()));
    const [whole, short] = received.map(comparable);
    expect({ ...short, headers: new Map(short?.headers) }).toEqual({
      ...whole,
      headers: new Map(whole?.headers),
    });
    // Otherwise both went the whole way.
    expect(received[0]?.headers).toHaveProperty('amz-sdk-request');
    expect(received[1]?.headers).not.toHaveProperty('amz-sdk-request');
  },
);

/** Everything that a caller sees. */
async function outcomeOf(client: DynamoDBClient, command: object) {
  received = [];
  lines = [];
  const { $metadata, ...seen } = await client.send(command as PutItemCommand).catch((error) => ({
    $metadata: error.$metadata,
    name: error.name,
    message: error.message.split('\n')[0],
    item: error.Item,
    reasons: error.CancellationReasons,
    isOfClass: error.constructor.name,
  }));
  return { ...seen, status: $metadata?.httpStatusCode, requests: received.length, throttled: lines };
}

test.each<readonly [string, Answer[], number]>([
  ['success', [COUNTED], 1],
  ['a condition that fails', [CONDITION], 1],
  ['an invalid request', [failure('ValidationException')], 1],
  ['one throttle', [THROTTLED, COUNTED], 2],
  ['throttles until the end', [THROTTLED, THROTTLED, THROTTLED], 3],
  ['errors of the server', [[500, '{"__type":"a#InternalServerError"}'], [500, '{}'], COUNTED], 3],
  ['errors of a proxy', [[502, '<html>'], [503, ''], COUNTED], 3],
  ['a response that is no JSON', [[200, 'nonsense']], 1],
  ['broken connections', ['reset', COUNTED], 2],
  ['a server that says nothing', ['silence', COUNTED], 2],
])('%s has the outcome that it has on the whole way', async (_, answers, requests) => {
  const client = makeClient();
  await client.send(put());
  planned = [...answers];
  const whole = await outcomeOf(client, count());
  planned = [...answers];
  const short = await outcomeOf(client, onShortPath(count()));
  expect(short).toEqual(whole);
  expect(short.requests).toBe(requests);
});

const UNPROCESSED = { Leads: { Keys: [{ leadId: { S: 'Ünï 1' } }] } };
const FULL = { Code: 'ThrottlingError', Message: 'slow' };

test.each<readonly [string, () => object, Answer]>([
  ['a batch read in part', read, [200, JSON.stringify({ Responses: {}, UnprocessedKeys: UNPROCESSED })]],
  ['a batch written in part', write, [200, '{"UnprocessedItems":{"Leads":[{}]}}']],
  [
    'a transaction that is throttled',
    pair,
    failure('TransactionCanceledException', { CancellationReasons: [FULL] }),
  ],
])('%s counts as throttled on both ways', async (_, make, answer) => {
  const client = makeClient();
  await client.send(put());
  planned = [answer, answer];
  const whole = await outcomeOf(client, make());
  const short = await outcomeOf(client, onShortPath(make() as PutItemCommand));
  expect(short).toEqual(whole);
  expect(short.throttled).toEqual(['Leads']);
});

test('no attempt begins after the deadline, not even during a pause', async () => {
  const client = makeClient(1_000);
  await client.send(put());
  planned = [THROTTLED, COUNTED];
  received = [];
  const sent = client.send(onShortPath(count()), { abortSignal: AbortSignal.timeout(100) });
  await expect(sent).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
  const late = client.send(onShortPath(count()), { abortSignal: AbortSignal.abort() });
  await expect(late).rejects.toMatchObject({ name: 'AbortError' });
  planned = ['silence'];
  const stalled = client.send(onShortPath(count()), { abortSignal: AbortSignal.timeout(50) });
  await expect(stalled).rejects.toMatchObject({ name: 'AbortError' });
  expect(received).toHaveLength(2);
});

test('attempts that succeed give back what failed ones took from the budget of retries', async () => {
  const client = makeClient();
  await client.send(put());
  const strategy = (await client.config.retryStrategy()) as ConfiguredRetryStrategy;
  const full = strategy.getCapacity();
  planned = [THROTTLED, THROTTLED, THROTTLED];
  await client.send(onShortPath(count())).catch(() => undefined);
  const left = strategy.getCapacity();
  expect(left).toBeLessThan(full);
  for (let sent = left; sent < full; sent += 1) await client.send(onShortPath(count()));
  expect(strategy.getCapacity()).toBe(full);
});
