import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { compileFilter } from '../../local/event-source/mapping.ts';
import { client, createStreamedTables, follow, put, table } from './support/streamed-table.ts';
import { until } from './support/until.ts';

createStreamedTables();

describe('a stream reaches the function', () => {
  test('in the shape that Lambda gives records', async () => {
    const Item = {
      id: { S: 'a' },
      bytes: { B: new Uint8Array([1, 2, 255]) },
      deep: { M: { list: { L: [{ BS: [new Uint8Array([7])] }, { N: '1.5' }, { NULL: true as const }] } } },
    };
    await client.send(new PutItemCommand({ TableName: table, Item }));
    await client.send(new DeleteItemCommand({ TableName: table, Key: { id: { S: 'a' } } }));
    const { events } = await follow();
    const records = await until(() => {
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

  test('in order, in batches no larger than asked for', async () => {
    await put(1, 2, 3, 4, 5, 6, 7);
    const { batches } = await follow(undefined, { batchSize: 3 });
    await until(() => batches.flat().length === 7);
    expect(batches).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    await put(8, 9);
    await until(() => batches.flat().length === 9);
    expect(batches.flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('from now on only, where the mapping says LATEST', async () => {
    await put(1, 2);
    const { batches } = await follow(undefined, { startingPosition: 'LATEST' });
    await put(3);
    await until(() => batches.length > 0);
    expect(batches).toEqual([[3]]);
  });

  test('through its filter', async () => {
    const Pattern = '{"eventName":["INSERT"],"dynamodb":{"NewImage":{"n":{"N":["1","3","8"]}}}}';
    await put(1, 2, 3, 4, 8);
    const { batches } = await follow(undefined, { matches: compileFilter({ Filters: [{ Pattern }] }, 'M') });
    await put(9);
    // 4 and 8 only modify items.
    await until(() => batches.flat().length >= 2);
    expect(batches.flat()).toEqual([1, 3]);
  });

  test('gathered until the batch is full or its window is over', async () => {
    const full = await follow(undefined, { batchingWindowSeconds: 100, batchSize: 4 });
    const soon = await follow(undefined, { batchingWindowSeconds: 1, batchSize: 1000 });
    await put(1, 2, 3, 4, 5);
    await until(() => full.batches.length > 0);
    expect(full.batches).toEqual([[1, 2, 3, 4]]);
    await until(() => soon.batches.flat().length === 5);
  });

  test('again from its beginning after a restart: nothing that was pending is forgotten', async () => {
    await put(1, 2);
    const first = await follow();
    await until(() => first.batches.flat().length === 2);
    await first.stop();
    await put(3);
    const second = await follow();
    await until(() => second.batches.flat().length === 3);
    expect(second.batches.flat()).toEqual([1, 2, 3]);
  });
});
