import { randomUUID } from 'node:crypto';
import { CreateTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { OUTPUTS } from '#contract';
import { makePace } from '#local/event-source/event-source.ts';
import type { StreamMapping } from '#local/event-source/mapping.ts';
import { makeStreamsApi } from '#local/event-source/shard-reader.ts';
import { startStreamSource } from '#local/event-source/start-event-sources.ts';
import { localStack } from '#test/local-stack.ts';
import { STREAM_MAPPING } from './template-fixture.ts';

export let client: ReturnType<ReturnType<typeof localStack>['newClient']>;
let streams: ReturnType<typeof makeStreamsApi>;
export let table: string;
let streamArn: string;
export let printed: string[];
export const cleanups: (() => void | Promise<void>)[] = [];

/** Registers the hooks that create a table with a stream for each test. */
export function createStreamedTables(): void {
  beforeAll(() => {
    client = localStack().newClient();
    streams = makeStreamsApi(localStack().output(OUTPUTS.localDynamoDbEndpoint));
  });
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
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  afterAll(() => {
    client.destroy();
    streams.destroy();
  });
}

export async function put(...numbers: number[]): Promise<void> {
  for (const number of numbers) {
    const Item = { id: { S: `item-${number % 3}` }, n: { N: String(number) } };
    await client.send(new PutItemCommand({ TableName: table, Item }));
  }
}

export const numberOf = (record: DynamoDBRecord) => Number(record.dynamodb?.NewImage?.n?.N);
export const sequenceNumberOf = (record: DynamoDBRecord) => ({
  itemIdentifier: record.dynamodb?.SequenceNumber,
});

export type Behave = (records: DynamoDBRecord[], batch: number) => unknown;

/** Follows the table with a function of the test. The batches that it got are kept, by their numbers. */
export async function follow(behave: Behave = () => null, overrides: Partial<StreamMapping> = {}) {
  const batches: number[][] = [];
  const events: DynamoDBStreamEvent[] = [];
  const source = await start(async (event) => {
    const parsed: DynamoDBStreamEvent = JSON.parse(event);
    events.push(parsed);
    batches.push(parsed.Records.map(numberOf));
    return JSON.stringify((await behave(parsed.Records, batches.length)) ?? null);
  }, overrides);
  return { batches, events, stop: source.stop };
}

export async function start(
  invoke: (event: string) => Promise<string>,
  overrides: Partial<StreamMapping> = {},
) {
  const own = { streamArn, batchSize: 100, reportsItemFailures: true };
  const mapping: StreamMapping = { ...STREAM_MAPPING, ...own, ...overrides };
  const print = (line: string) => printed.push(line);
  const source = await startStreamSource(mapping, { streams, invoke, pace: makePace(), print });
  cleanups.push(() => source.stop());
  return source;
}
