import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DescribeTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { openDataDirectory } from '../../local/data-directory.ts';
import { type DynamoDbLocal, startDynamoDbLocal } from '../../local/dynamodb-local.ts';
import { makePace } from '../../local/event-source/event-source.ts';
import { makeStreamsApi } from '../../local/event-source/shard-reader.ts';
import { startStreamSource } from '../../local/event-source/start-event-sources.ts';
import { makeClosers } from '../../local/lifecycle.ts';
import { waitFor } from '../until.ts';

const folder = mkdtempSync(join(tmpdir(), 'stream-restart-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TABLE = { TableName: 'Streamed' };

async function withEngine<Result>(work: (engine: DynamoDbLocal) => Promise<Result>): Promise<Result> {
  const closers = makeClosers();
  try {
    return await work(await startDynamoDbLocal(await openDataDirectory(folder, closers), closers));
  } finally {
    await closers.close();
  }
}

/** Queues do not survive a restart, but streams do, so what was in the queues is delivered again. */
test('a kept stream is read from its beginning after a restart of the database', async () => {
  await withEngine(async ({ client }) => {
    await client.send(
      new CreateTableCommand({
        ...TABLE,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      }),
    );
    await client.send(new PutItemCommand({ ...TABLE, Item: { id: { S: 'before' } } }));
  });
  const ids = await withEngine(async ({ client, endpoint }) => {
    await client.send(new PutItemCommand({ ...TABLE, Item: { id: { S: 'after' } } }));
    const { Table } = await client.send(new DescribeTableCommand(TABLE));
    const streams = makeStreamsApi(endpoint);
    const seen: unknown[] = [];
    const source = await startStreamSource(
      {
        kind: 'stream',
        logicalId: 'Mapping',
        functionArn: '',
        streamArn: Table?.LatestStreamArn as string,
        startingPosition: 'TRIM_HORIZON',
        batchSize: 10,
        batchingWindowSeconds: 0,
        matches: () => true,
        reportsItemFailures: false,
        bisects: false,
        tumblingWindowSeconds: 0,
        maximumRetries: Number.POSITIVE_INFINITY,
      },
      {
        streams,
        pace: makePace(),
        print: () => undefined,
        async invoke(event) {
          const { Records } = JSON.parse(event) as DynamoDBStreamEvent;
          seen.push(...Records.map(({ dynamodb }) => dynamodb?.Keys?.id?.S));
          return 'null';
        },
      },
    );
    await waitFor(() => seen.length === 2);
    await source.stop();
    streams.destroy();
    return seen;
  });
  expect(ids).toEqual(['before', 'after']);
});
