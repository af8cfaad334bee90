import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { OUTPUTS } from '#contract';
import { makePace } from '#local/event-source/event-source.ts';
import { compileFilter, type StreamMapping } from '#local/event-source/mapping.ts';
import { makeServiceClient, STREAMS } from '#local/event-source/service-client.ts';
import { makeStreamsApi } from '#local/event-source/shard-reader.ts';
import { startStreamSource } from '#local/event-source/start-event-sources.ts';
import { localStack } from '../local-stack.ts';
import { waitFor } from '../until.ts';
import { STREAM_MAPPING } from './support/template-fixture.ts';

const client = localStack().newClient();
const streamsClient = makeServiceClient(STREAMS, localStack().output(OUTPUTS.localDynamoDbEndpoint));
const streams = makeStreamsApi(streamsClient);
afterAll(() => {
  client.destroy();
  streamsClient.destroy();
});

let table: string;
let streamArn: string;
let printed: string[];
const cleanups: (() => Promise<void>)[] = [];
beforeEach(async () => {
  table = `Streamed-${randomUUID()}`;
  printed = [];
  const { TableDescription } = await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    }),
  );
  streamArn = TableDescription?.LatestStreamArn as string;
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function put(...numbers: number[]): Promise<void> {
  for (const number of numbers) {
    const Item = { id: { S: `item-${number % 3}` }, n: { N: String(number) } };
    await client.send(new PutItemCommand({ TableName: table, Item }));
  }
}

const numberOf = (record: DynamoDBRecord) => Number(record.dynamodb?.NewImage?.n?.N);

type Behave = (records: DynamoDBRecord[], batch: number) => unknown;

/** Follows the table with a function of the test. The batches that it got are kept, by their numbers. */
async function follow(behave: Behave = () => null, overrides: Partial<StreamMapping> = {}) {
  const batches: number[][] = [];
  const events: DynamoDBStreamEvent[] = [];
  const source = await startStreamSource(
    { ...STREAM_MAPPING, streamArn, batchSize: 100, reportsItemFailures: true, ...overrides },
    {
      streams,
      pace: makePace(),
      print: (line) => printed.push(line),
      async invoke(event) {
        const parsed: DynamoDBStreamEvent = JSON.parse(event);
        events.push(parsed);
        batches.push(parsed.Records.map(numberOf));
        return JSON.stringify((await behave(parsed.Records, batches.length)) ?? null);
      },
    },
  );
  cleanups.push(() => source.stop());
  return { batches, events, stop: source.stop };
}

describe('a stream reaches the function', () => {
  test('in the format that Lambda uses', async () => {
    const Item = {
      id: { S: 'a' },
      bytes: { B: new Uint8Array([1, 2, 255]) },
      deep: { M: { list: { L: [{ BS: [new Uint8Array([7])] }, { N: '1.5' }, { NULL: true as const }] } } },
    };
    await client.send(new PutItemCommand({ TableName: table, Item }));
    await client.send(new DeleteItemCommand({ TableName: table, Key: { id: { S: 'a' } } }));
    const { events } = await follow();
    const records = await waitFor(() => {
      const all = events.flatMap(({ Records }) => Records);
      return all.length === 2 && all;
    });
    expect(records[0]).toEqual({
      eventID: expect.any(String),
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: expect.stringMatching(`^arn:aws:dynamodb:us-east-1:0+:table/${table}/stream/`),
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number),
        Keys: { id: { S: 'a' } },
        NewImage: {
          id: { S: 'a' },
          bytes: { B: 'AQL/' },
          deep: { M: { list: { L: [{ BS: ['Bw=='] }, { N: '1.5' }, { NULL: true }] } } },
        },
        SequenceNumber: expect.stringMatching(/^\d+$/),
        SizeBytes: expect.any(Number),
        StreamViewType: 'NEW_IMAGE',
      },
    });
    expect(records[1]).toMatchObject({ eventName: 'REMOVE', dynamodb: { Keys: { id: { S: 'a' } } } });
    expect(records[1]?.dynamodb).not.toHaveProperty('NewImage');
  });

  test('in order, in batches no larger than configured', async () => {
    await put(1, 2, 3, 4, 5, 6, 7);
    const { batches } = await follow(undefined, { batchSize: 3 });
    await waitFor(() => batches.flat().length === 7);
    expect(batches).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    await put(8, 9);
    await waitFor(() => batches.flat().length === 9);
    expect(batches.flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('through its filter', async () => {
    const Pattern = '{"eventName":["INSERT"],"dynamodb":{"NewImage":{"n":{"N":["1","3","8"]}}}}';
    await put(1, 2, 3, 4, 8);
    const { batches } = await follow(undefined, { matches: compileFilter({ Filters: [{ Pattern }] }, 'M') });
    await put(9);
    // 4 and 8 only modify items.
    await waitFor(() => batches.flat().length >= 2);
    expect(batches.flat()).toEqual([1, 3]);
  });

  test('collected until the batch is full or its window ends', async () => {
    const full = await follow(undefined, { batchingWindowSeconds: 100, batchSize: 4 });
    const soon = await follow(undefined, { batchingWindowSeconds: 1, batchSize: 1000 });
    await put(1, 2, 3, 4, 5);
    await waitFor(() => full.batches.length > 0);
    expect(full.batches).toEqual([[1, 2, 3, 4]]);
    await waitFor(() => soon.batches.flat().length === 5);
  });
});

describe('a batch that fails', () => {
  test('partly is retried from the lowest record that failed', async () => {
    await put(1, 2, 3, 4, 5);
    const { batches } = await follow((records, batch) => {
      const failed = batch === 1 ? [records[3], records[1]] : batch === 2 ? [records[1]] : [];
      const identifiers = failed.map((record) => record?.dynamodb?.SequenceNumber);
      return { batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })) };
    });
    await waitFor(() => batches.length === 3);
    expect(batches).toEqual([
      [1, 2, 3, 4, 5],
      [2, 3, 4, 5],
      [3, 4, 5],
    ]);
    await put(6);
    await waitFor(() => batches.length === 4);
    expect(batches[3]).toEqual([6]);
  });

  test('blocks what follows until it succeeds', async () => {
    await put(1, 2, 3);
    const { batches } = await follow(
      (_, batch) => {
        if (batch < 3) throw new Error('not yet');
      },
      { batchSize: 2 },
    );
    await waitFor(() => batches.length === 4);
    expect(batches).toEqual([[1, 2], [1, 2], [1, 2], [3]]);
  });

  test('with an invalid response is retried as a whole', async () => {
    await put(1, 2);
    const { batches } = await follow((_, batch) =>
      batch === 1 ? { batchItemFailures: [{ itemIdentifier: 'unheard of' }] } : null,
    );
    await waitFor(() => batches.length === 2);
    expect(batches).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(printed).toEqual([
      expect.stringContaining('Mapping: the function returned an invalid batch response'),
    ]);
  });

  test('is split if the mapping bisects, so that a bad record blocks only itself', async () => {
    await put(1, 2, 3, 4);
    const done: number[] = [];
    const { batches } = await follow(
      (records, batch) => {
        if (batch < 6 && records.some((record) => numberOf(record) === 3)) throw new Error('3 is bad');
        done.push(...records.map(numberOf));
      },
      { bisects: true },
    );
    await waitFor(() => done.length === 4);
    expect(done).toEqual([1, 2, 3, 4]);
    expect(batches.slice(0, 4)).toEqual([[1, 2, 3, 4], [1, 2], [3, 4], [3]]);
  });

  test('is discarded, with a message, only if the mapping limits the retries', async () => {
    await put(1, 2);
    const { batches } = await follow(
      (records) => {
        if (numberOf(records[0] as DynamoDBRecord) === 1) throw new Error('never');
      },
      { batchSize: 1, maximumRetries: 1 },
    );
    await waitFor(() => batches.length === 3);
    expect(batches).toEqual([[1], [1], [2]]);
    expect(printed).toEqual(['Mapping discards 1 records after 1 retries']);
  });
});

test('stopping waits for the invocation under way, and starts no other', async () => {
  await put(1, 2);
  const release = Promise.withResolvers<void>();
  const { batches, stop } = await follow(() => release.promise, { batchSize: 1 });
  await waitFor(() => batches.length === 1);
  let stopped = false;
  const stopping = stop().then(() => {
    stopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).toBe(false);
  release.resolve();
  await stopping;
  expect(batches).toEqual([[1]]);
});
