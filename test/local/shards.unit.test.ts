import { afterEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { makePace } from '../../local/event-source/event-source.ts';
import type { StreamMapping } from '../../local/event-source/mapping.ts';
import { ServiceError } from '../../local/event-source/service-client.ts';
import { followShard, type StreamsApi } from '../../local/event-source/shard-reader.ts';
import { startStreamSource } from '../../local/event-source/start-event-sources.ts';
import { type LambdaStreamRecord, makeStreamDelivery } from '../../local/event-source/stream-delivery.ts';
import { waitFor } from '../until.ts';
import { STREAM_MAPPING } from './support/template-fixture.ts';

describe('shards', () => {
  // DynamoDB Local closes a shard after hours, and its iterators expire after minutes. Here a script does both.

  interface ScriptedShard {
    readonly parent?: string;
    readonly records: readonly number[];
    readonly closed: boolean;
  }

  type Fault = (iterator: string) => Error | undefined;

  /** Iterators are `shard:position`; one record for each read. Remembers the types of iterators asked for. */
  function scriptedStreams(shards: Record<string, ScriptedShard>, fault: Fault = () => undefined) {
    const asked: string[] = [];
    const streams: StreamsApi = {
      /** One shard per page. */
      async describe(_streamArn, after = '') {
        const ids = Object.keys(shards);
        const position = ids.indexOf(after) + 1;
        const id = ids[position];
        const parent = id === undefined ? undefined : shards[id]?.parent;
        return {
          Shards: id === undefined ? [] : [{ ShardId: id, ...(parent && { ParentShardId: parent }) }],
          LastEvaluatedShardId: position < ids.length - 1 ? id : undefined,
        };
      },
      async openIterator(_streamArn, { ShardId, ShardIteratorType, SequenceNumber }) {
        asked.push(`${ShardId} ${ShardIteratorType}`);
        const records = shards[ShardId]?.records ?? [];
        const position =
          ShardIteratorType === 'LATEST' ? records.length : records.indexOf(Number(SequenceNumber)) + 1;
        return `${ShardId}:${position}`;
      },
      async getRecords(iterator = '') {
        const error = fault(iterator);
        if (error) throw error;
        const [id = '', position = ''] = iterator.split(':');
        const { records = [], closed = false } = shards[id] ?? {};
        const read = records.slice(Number(position), Number(position) + 1);
        const next = Number(position) + read.length;
        return {
          Records: read.map((number) => ({ dynamodb: { SequenceNumber: String(number) } })),
          NextShardIterator: closed && next >= records.length ? undefined : `${id}:${next}`,
        };
      },
    };
    return { streams, asked };
  }

  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup();
  });

  async function follow(streams: StreamsApi, startingPosition: 'TRIM_HORIZON' | 'LATEST' = 'TRIM_HORIZON') {
    const seen: number[] = [];
    const source = await startStreamSource(
      { ...STREAM_MAPPING, startingPosition },
      {
        streams,
        pace: makePace(),
        print: () => undefined,
        async invoke(event) {
          const { Records } = JSON.parse(event) as DynamoDBStreamEvent;
          seen.push(...Records.map(({ dynamodb }) => Number(dynamodb?.SequenceNumber)));
          return 'null';
        },
      },
    );
    cleanups.push(() => source.stop());
    return seen;
  }

  test('a child shard is read after its parent, whichever is listed first', async () => {
    const { streams } = scriptedStreams({
      grandchild: { parent: 'child', records: [5], closed: false },
      child: { parent: 'parent', records: [3, 4], closed: true },
      parent: { parent: 'long gone', records: [1, 2], closed: true },
    });
    const seen = await follow(streams);
    await waitFor(() => seen.length === 5);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  test('a shard that appears later is read from its start, even by a mapping that starts at LATEST', async () => {
    const shards: Record<string, ScriptedShard> = { first: { records: [1, 2], closed: false } };
    const { streams, asked } = scriptedStreams(shards);
    const seen = await follow(streams, 'LATEST');
    shards.second = { parent: 'first', records: [4, 5], closed: false };
    shards.first = { records: [1, 2, 3], closed: true };
    await waitFor(() => seen.length === 3);
    expect(seen).toEqual([3, 4, 5]);
    expect(asked).toEqual(['first LATEST', 'second TRIM_HORIZON']);
  });

  const once = (iterator: string, error: Error): Fault => {
    let thrown = false;
    return (asked) => {
      if (asked !== iterator || thrown) return undefined;
      thrown = true;
      return error;
    };
  };

  test.each([
    [
      'an expired iterator is replaced by one after the last record',
      new ServiceError('com.amazonaws.dynamodb.v20120810#ExpiredIteratorException'),
      [1, 2, 3],
      ['only TRIM_HORIZON', 'only AFTER_SEQUENCE_NUMBER'],
    ],
    [
      'a connection that fails is tried again, without a record lost or twice',
      new Error('ECONNRESET'),
      [1, 2, 3],
      ['only TRIM_HORIZON', 'only AFTER_SEQUENCE_NUMBER'],
    ],
    [
      'records that are gone are left behind, and reading goes on from the oldest',
      new ServiceError('com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException'),
      [1, 2, 1, 2, 3],
      ['only TRIM_HORIZON', 'only TRIM_HORIZON'],
    ],
  ])('%s', async (_, error, expected, iterators) => {
    const shards = { only: { records: [1, 2, 3], closed: false } };
    const { streams, asked } = scriptedStreams(shards, once('only:2', error));
    const seen = await follow(streams);
    await waitFor(() => seen.length === expected.length);
    expect(seen).toEqual(expected);
    expect(asked).toEqual(iterators);
  });
});

describe('following a shard', () => {
  test('tells how far records were delivered, also those that the filter leaves out', async () => {
    const reads = [[1, 2, 3], [4], [5, 6]];
    const stopping = new AbortController();
    const delivered: string[] = [];
    await followShard({
      mapping: {
        ...STREAM_MAPPING,
        batchSize: 1,
        // Only odd numbers.
        matches: (record) => Number((record as LambdaStreamRecord).dynamodb.SequenceNumber) % 2 === 1,
      },
      shardId: 'shardId-1',
      reader: {
        open: async () => undefined,
        read: async () => ({
          records: (reads.shift() ?? []).map((number) => ({ dynamodb: { SequenceNumber: String(number) } })),
          ended: false,
        }),
      },
      // The end comes while the fifth is under way.
      deliver: async ([item]) => void (item?.sequenceNumber === '5' && stopping.abort()),
      onDelivered: (last) => delivered.push(last),
      pace: { speedUp: () => undefined, begin: () => async () => undefined },
      signal: stopping.signal,
    });
    expect(delivered).toEqual(['1', '3', '3', '4']);
  });

  test('continues immediately after a full read, and pauses after a partial one so that batches can form', async () => {
    const reads = [[1, 2], [3], [], [4]];
    const course: string[] = [];
    await followShard({
      mapping: { ...STREAM_MAPPING, batchSize: 2 },
      shardId: 'shardId-1',
      reader: {
        open: async () => undefined,
        async read() {
          const numbers = reads.shift() ?? [];
          course.push(`read ${numbers.length}`);
          return {
            records: numbers.map((number) => ({ dynamodb: { SequenceNumber: String(number) } })),
            ended: reads.length === 0,
          };
        },
      },
      deliver: async (items, shardId) => void course.push(`deliver ${items.length} of ${shardId}`),
      onDelivered: () => undefined,
      pace: { speedUp: () => undefined, begin: () => async () => void course.push('rest') },
      signal: new AbortController().signal,
    });
    expect(course).toEqual([
      ...['read 2', 'deliver 2 of shardId-1'],
      ...['read 1', 'deliver 1 of shardId-1', 'rest'],
      ...['read 0', 'rest'],
      ...['read 1', 'deliver 1 of shardId-1'],
    ]);
  });
});

describe('delivery', () => {
  const ITEMS = [1, 2, 3].map((n) => ({ sequenceNumber: String(n), json: `{"n":${n}}` }));

  interface Delivered {
    readonly Records: readonly { readonly n: number }[];
    readonly shardId?: string;
    readonly window?: { readonly start: string; readonly end: string };
  }

  /** Delivers three records to a function of the test. */
  async function deliver(overrides: Partial<StreamMapping>, behave: (call: number) => string) {
    const events: Delivered[] = [];
    const printed: string[] = [];
    const settings = {
      async invoke(event: string) {
        events.push(JSON.parse(event));
        return behave(events.length);
      },
      print: (line: string) => void printed.push(line),
    };
    const { signal } = new AbortController();
    await makeStreamDelivery(
      { ...STREAM_MAPPING, maximumRetries: 1, ...overrides },
      settings,
      signal,
    )(ITEMS, 'shardId-7');
    return { events, printed };
  }

  test('without a window, an event has only its records', async () => {
    const { events } = await deliver({}, () => 'null');
    expect(events).toEqual([{ Records: [{ n: 1 }, { n: 2 }, { n: 3 }] }]);
  });

  describe('with a tumbling window', () => {
    test('an event names its shard, its stream and the window, which begins at a whole multiple', async () => {
      const { events } = await deliver({ tumblingWindowSeconds: 900 }, () => '{"state":{}}');
      expect(events).toEqual([
        {
          Records: [{ n: 1 }, { n: 2 }, { n: 3 }],
          window: { start: expect.any(String), end: expect.any(String) },
          state: {},
          shardId: 'shardId-7',
          // As Lambda names it, not as DynamoDB Local does.
          eventSourceARN: 'arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/1',
          isFinalInvokeForWindow: false,
          isWindowTerminatedEarly: false,
        },
      ]);
      const { start = '', end = '' } = events[0]?.window ?? {};
      expect(Date.parse(start) % 900_000).toBe(0);
      expect(Date.parse(end) - Date.parse(start)).toBe(900_000);
    });

    test.each(['null', '{}', '{"state":null}', '{"state":1}', '"state"', 'no JSON', ''])(
      'a function that returns %j, and so no state, has failed',
      async (response) => {
        const { events, printed } = await deliver({ tumblingWindowSeconds: 900 }, (call) =>
          call === 1 ? response : '{"state":{}}',
        );
        expect(events).toHaveLength(2);
        expect(printed[0]).toBe('Mapping has a tumbling window, but its function returned no state');
      },
    );

    test('both halves of a split batch belong to the same shard', async () => {
      const { events } = await deliver({ tumblingWindowSeconds: 900, bisects: true }, (call) =>
        call === 1 ? 'null' : '{"state":{}}',
      );
      expect(events.map(({ Records }) => Records.length)).toEqual([3, 2, 1]);
      expect(events.map(({ shardId }) => shardId)).toEqual(['shardId-7', 'shardId-7', 'shardId-7']);
    });
  });
});
