/** A process that responds to DynamoDB calls from prepared records, with DynamoDB's latency. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { marshall } from '@aws-sdk/util-dynamodb';
import { DynamoDbDouble, type Input, type Reply } from '../../faults/double/dynamodb-double.ts';
import { RECORDS } from './records.ts';

const double = new DynamoDbDouble();
for (const [TableName, items] of Object.entries(RECORDS)) {
  for (const item of items)
    double.execute('PutItem', { TableName, Item: marshall(item, { removeUndefinedValues: true }) });
}

const isRead = (operation: string) => /^(?:GetItem|Query|BatchGetItem)$/.test(operation);

/** Reads from prepared records. Writes succeed and change nothing, so that no limit is ever reached. */
function fixedReply(operation: string, input: Input): Reply {
  if (isRead(operation)) return double.execute(operation, input);
  return { statusCode: 200, body: input.ReturnValues === undefined ? {} : { Attributes: input.Key } };
}

/** Milliseconds at the median, as DynamoDB has within a region, and how far they spread. */
const READ_MS = 3;
const WRITE_MS = 5;
const SIGMA = 0.3;
const slowness = Number(process.argv[2] ?? '1');

function drawLatency(action: string): number {
  const median = isRead(action) ? READ_MS : WRITE_MS;
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
    const { statusCode, body } = fixedReply(action, JSON.parse(Buffer.concat(chunks).toString()));
    const text = JSON.stringify(body);
    // Measured from the arrival, so that the lookup time doesn't matter.
    await waitUntil(arrivedAt + drawLatency(action));
    response.writeHead(statusCode, {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': Buffer.byteLength(text),
      'x-amzn-requestid': 'TIMING',
    });
    response.end(text);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
