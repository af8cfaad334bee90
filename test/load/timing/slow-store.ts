/** A process that responds to DynamoDB calls from prepared records, with DynamoDB's latency. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { marshall } from '@aws-sdk/util-dynamodb';
import { RECORDS } from './records.ts';

type WireItem = Readonly<Record<string, unknown>>;

interface Asked {
  readonly TableName?: string;
  readonly Key?: WireItem;
  readonly RequestItems?: Readonly<Record<string, Asked & { readonly Keys: readonly WireItem[] }>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ProjectionExpression?: string;
  readonly ReturnValues?: string;
}

/** Milliseconds at the median, as DynamoDB has within a region, and how far they spread. */
const READ_MS = 3;
const WRITE_MS = 5;
const SIGMA = 0.3;
const slowness = Number(process.argv[2] ?? '1');

const items: Readonly<Record<string, readonly WireItem[]>> = Object.fromEntries(
  Object.entries(RECORDS).map(([table, records]) => [
    table,
    records.items.map((item) => marshall(item, { removeUndefinedValues: true })),
  ]),
);

function find(table: string | undefined, key: WireItem, asked: Asked): WireItem[] {
  const wanted = Object.entries(key).map(([name, value]) => [name, JSON.stringify(value)] as const);
  const names = asked.ProjectionExpression?.split(', ').map(
    (name) => asked.ExpressionAttributeNames?.[name] ?? name,
  );
  return (items[table ?? ''] ?? [])
    .filter((item) => wanted.every(([name, value]) => JSON.stringify(item[name]) === value))
    .map((item) =>
      names ? Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name))) : item,
    );
}

function answer(action: string, asked: Asked): unknown {
  const { TableName, Key = {}, RequestItems = {}, ExpressionAttributeValues = {} } = asked;
  if (action === 'GetItem') return { Item: find(TableName, Key, asked)[0] };
  if (action === 'Query') {
    const found = find(TableName, { slug: ExpressionAttributeValues[':slug'] }, asked);
    return { Items: found, Count: found.length, ScannedCount: found.length };
  }
  if (action === 'BatchGetItem') {
    const found = Object.entries(RequestItems).map(([table, each]) => [
      table,
      each.Keys.flatMap((key) => find(table, key, each)),
    ]);
    return { Responses: Object.fromEntries(found), UnprocessedKeys: {} };
  }
  return asked.ReturnValues === undefined ? {} : { Attributes: Key };
}

function drawLatency(action: string): number {
  const median = /^(?:GetItem|Query|BatchGetItem)$/.test(action) ? READ_MS : WRITE_MS;
  const normal = Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  return slowness * median * Math.exp(SIGMA * normal);
}

const doorbell = new Int32Array(new SharedArrayBuffer(4));

/** Timers alone would round every response to a whole millisecond and hide the differences. */
async function waitUntil(moment: number): Promise<void> {
  const milliseconds = Math.floor(moment - performance.now() - 1);
  if (milliseconds > 0) await sleep(milliseconds);
  Atomics.wait(doorbell, 0, 0, Math.max(0, moment - performance.now()));
}

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  const arrivedAt = performance.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    const action = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const text = JSON.stringify(answer(action, JSON.parse(Buffer.concat(chunks).toString()) as Asked));
    // Measured from the arrival, so that the lookup time doesn't matter.
    await waitUntil(arrivedAt + drawLatency(action));
    response.writeHead(200, {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': Buffer.byteLength(text),
      'x-amzn-requestid': 'TIMING',
    });
    response.end(text);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
