import { createServer } from 'node:http';
import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { type QueueMapping, readMappings } from '../../local/event-source/mapping.ts';
import { startQueueSource } from '../../local/event-source/queue-source.ts';
import { makeServiceClient, type ServiceClient, SQS } from '../../local/event-source/service-client.ts';
import { type Closers, listenOnLoopback, makeClosers } from '../../local/lifecycle.ts';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from '../../local/local-account.ts';
import { startSqs } from '../../local/sqs.ts';
import { TemplateReader } from '../../local/template.ts';
import { startTimer, waitFor } from '../until.ts';
import { failing, QUEUE_TEMPLATE } from './support/template-fixture.ts';

let closers: Closers;
let client: SQSClient;
let mappingClient: ServiceClient;
let reader: TemplateReader;
let mapping: QueueMapping;

beforeEach(async () => {
  closers = makeClosers();
  reader = new TemplateReader(QUEUE_TEMPLATE, 'Tried');
  const { endpoint } = await startSqs(reader, closers);
  client = new SQSClient({ endpoint, region: LOCAL_REGION, credentials: LOCAL_CREDENTIALS });
  mappingClient = makeServiceClient(SQS, endpoint);
  closers.defer(() => {
    client.destroy();
    mappingClient.destroy();
  });
  mapping = readMappings(reader)[0] as QueueMapping;
});
afterEach(() => closers.close());

type Behave = (records: SQSRecord[], batch: number) => unknown;

/** Follows the queue with a function of the test; keeps the bodies of the batches that it got. */
function follow(behave: Behave = () => null, overrides: Partial<QueueMapping> = {}) {
  const batches: string[][] = [];
  const records: SQSRecord[] = [];
  const source = startQueueSource(
    { ...mapping, ...overrides },
    {
      client: mappingClient,
      print: () => undefined,
      async invoke(event) {
        const { Records } = JSON.parse(event) as SQSEvent;
        batches.push(Records.map(({ body }) => body));
        records.push(...Records);
        return JSON.stringify((await behave(Records, batches.length)) ?? null);
      },
    },
  );
  closers.defer(() => source.stop());
  return { batches, records };
}

const send = (...bodies: string[]) =>
  client.send(
    new SendMessageBatchCommand({
      QueueUrl: reader.ref('Work'),
      Entries: bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody })),
    }),
  );

/** How many messages a queue holds, visible or not. */
async function countIn(queue: string): Promise<number> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: reader.ref(queue), AttributeNames: ['All'] }),
  );
  return Number(Attributes?.ApproximateNumberOfMessages);
}

test('the queues are those of the template', async () => {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: reader.ref('Work'), AttributeNames: ['All'] }),
  );
  expect(Attributes).toMatchObject({ QueueArn: reader.arn('Work'), VisibilityTimeout: '1' });
  expect(reader.attribute('Work', 'QueueName')).toBe('Tried-Work');
  expect(JSON.parse(Attributes?.RedrivePolicy ?? '')).toEqual({
    deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:Tried-Dead',
    maxReceiveCount: 3,
  });
});

test('a message reaches the function in Lambda’s format, and is deleted', async () => {
  await client.send(
    new SendMessageCommand({
      QueueUrl: reader.ref('Work'),
      MessageBody: 'hello',
      MessageAttributes: { colour: { DataType: 'String', StringValue: 'green' } },
    }),
  );
  const { records } = follow();
  await waitFor(async () => records.length > 0 && (await countIn('Work')) === 0);
  expect(records).toEqual([
    {
      messageId: expect.any(String),
      receiptHandle: expect.any(String),
      body: 'hello',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
        SenderId: expect.any(String),
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
      },
      messageAttributes: {
        colour: { stringValue: 'green', stringListValues: [], binaryListValues: [], dataType: 'String' },
      },
      md5OfBody: '5d41402abc4b2a76b9719d911017c592',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:Tried-Work',
      awsRegion: 'us-east-1',
    },
  ]);
});

describe('a batch that fails', () => {
  test('partly: only what failed is delivered again', async () => {
    await send('a', 'b', 'c');
    const { batches, records } = follow((batch, count) => (count === 1 ? failing(batch, 'b') : null));
    await waitFor(async () => batches.length === 2 && (await countIn('Work')) === 0);
    expect(batches).toEqual([['a', 'b', 'c'], ['b']]);
    expect(records.at(-1)?.attributes.ApproximateReceiveCount).toBe('2');
  });

  test.each<[string, Behave]>([
    [
      'with an error',
      (_, count) => {
        if (count === 1) throw new Error('no');
      },
    ],
    ['with an answer that cannot be right', (_, count) => (count === 1 ? { batchItemFailures: 'b' } : null)],
  ])('%s is delivered again as a whole', async (_, behave) => {
    await send('a', 'b');
    const { batches } = follow(behave);
    await waitFor(async () => batches.flat().length === 4 && (await countIn('Work')) === 0);
    expect(batches[0]).toEqual(['a', 'b']);
    expect(batches.slice(1).flat().sort()).toEqual(['a', 'b']);
  });

  test('item by item counts as done if the mapping does not ask for reports', async () => {
    await send('a', 'b');
    const { batches } = follow((records) => failing(records, 'b'), { reportsItemFailures: false });
    await waitFor(async () => batches.length > 0 && (await countIn('Work')) === 0);
    expect(batches).toEqual([['a', 'b']]);
  });

  test('repeatedly ends in the dead-letter queue, and is processed once it is fixed and sent back', async () => {
    let fixed = false;
    await send('a', 'poison', 'c');
    const { batches, records } = follow(async (batch) => {
      if (fixed) return null;
      // Again at once, which counts as an attempt like any other.
      const { receiptHandle: ReceiptHandle = '' } = batch.find(({ body }) => body === 'poison') ?? {};
      const change = { QueueUrl: reader.ref('Work'), ReceiptHandle, VisibilityTimeout: 0 };
      await client.send(new ChangeMessageVisibilityCommand(change));
      return failing(batch, 'poison');
    });
    await waitFor(async () => (await countIn('Dead')) === 1 && (await countIn('Work')) === 0);
    expect(batches).toEqual([['a', 'poison', 'c'], ['poison'], ['poison']]);
    const poisoned = records.filter(({ body }) => body === 'poison');
    expect(poisoned.map(({ attributes }) => attributes.ApproximateReceiveCount)).toEqual(['1', '2', '3']);
    fixed = true;
    await client.send(
      new StartMessageMoveTaskCommand({ SourceArn: reader.arn('Dead'), DestinationArn: reader.arn('Work') }),
    );
    await waitFor(async () => batches.length > 3 && (await countIn('Work')) === 0);
    expect(batches.at(-1)).toEqual(['poison']);
    expect(await countIn('Dead')).toBe(0);
  });
});

test('what the filter does not want never reaches the function, and is deleted', async () => {
  await send('{"kind":"lead"}', '{"kind":"other"}', 'no JSON');
  const { batches } = follow(undefined, {
    matches: (record) => (record as { body: { kind?: string } }).body.kind === 'lead',
  });
  await waitFor(async () => batches.length > 0 && (await countIn('Work')) === 0);
  expect(batches).toEqual([['{"kind":"lead"}']]);
});

test('no more batches at once than the mapping allows, and several where it does', async () => {
  await send('a', 'b', 'c', 'd', 'e');
  const release = Promise.withResolvers<void>();
  let most = 0;
  let running = 0;
  const { batches } = follow(
    async () => {
      most = Math.max(most, ++running);
      await release.promise;
      running -= 1;
    },
    { batchSize: 1, maximumConcurrency: 2 },
  );
  await waitFor(() => running === 2);
  release.resolve();
  await waitFor(async () => batches.length >= 5 && (await countIn('Work')) === 0);
  expect(most).toBe(2);
});

test('a batch larger than SQS gives at once is gathered within its window', async () => {
  await send('0', '1', '2', '3', '4', '5', '6', '7', '8', '9');
  await send('10', '11');
  const { batches } = follow(undefined, { batchSize: 12, batchingWindowSeconds: 100 });
  await waitFor(() => batches.length > 0);
  expect(batches[0]).toHaveLength(12);
});

test('a long poll ends with the first message', async () => {
  const receiving = client.send(
    new ReceiveMessageCommand({ QueueUrl: reader.ref('Work'), WaitTimeSeconds: 20, MaxNumberOfMessages: 10 }),
  );
  const tookMilliseconds = startTimer();
  await send('a');
  expect((await receiving).Messages).toHaveLength(1);
  expect(tookMilliseconds()).toBeLessThan(10_000);
});

test('a call is repeated when the engine has closed the connection that was kept for it', async () => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (requests === 2) request.socket.resetAndDestroy();
    else response.end('{}');
  });
  const keeping = makeServiceClient(SQS, await listenOnLoopback(server, closers));
  closers.defer(() => keeping.destroy());
  await keeping.call('DeleteMessageBatch', {});
  expect(await keeping.call('DeleteMessageBatch', {})).toEqual({});
  expect(requests).toBe(3);
});
