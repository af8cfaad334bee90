import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { TrimmedDataAccessException } from '@aws-sdk/client-dynamodb-streams';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from '@jest/globals';
import type { Outcome } from '#in-turn/batch.ts';
import type { ShardPositions } from '#in-turn/shard-positions-store.ts';
import { makeWaitingMessages } from '#in-turn/waiting-messages-store.ts';
import { makeWaitingRecords } from '#in-turn/waiting-records-store.ts';

type Input = Readonly<Record<string, unknown>>;

/** A stream: its shards with their parents, whether they are closed, and their records. */
interface StreamDouble {
  [shardId: string]: { parent?: string; closed?: true; sequences: number[]; trimmedTo?: number };
}

function followStream(stream: StreamDouble, positions: { saved: ShardPositions } = { saved: {} }) {
  const answers: Record<string, (input: Input) => object> = {
    DescribeStreamCommand: () => ({
      StreamDescription: {
        Shards: Object.entries(stream).map(([ShardId, { parent }]) => ({ ShardId, ParentShardId: parent })),
      },
    }),
    GetShardIteratorCommand: ({ ShardId, SequenceNumber = '-1' }) => {
      const { trimmedTo = 0 } = stream[ShardId as string] ?? {};
      if (Number(SequenceNumber) >= 0 && Number(SequenceNumber) < trimmedTo) {
        throw new TrimmedDataAccessException({ message: '', $metadata: {} });
      }
      return { ShardIterator: `${ShardId} ${SequenceNumber}` };
    },
    GetRecordsCommand: ({ ShardIterator, Limit }) => {
      const [shardId = '', after] = String(ShardIterator).split(' ');
      const { sequences, closed } = stream[shardId] ?? { sequences: [] };
      const next = sequences.filter((each) => each > Number(after)).slice(0, Number(Limit));
      const isEnd = closed && (next.at(-1) ?? Number(after)) === (sequences.at(-1) ?? Number(after));
      return {
        Records: next.map((each) => ({
          eventName: 'INSERT',
          dynamodb: {
            SequenceNumber: String(each),
            ApproximateCreationDateTime: new Date(1_000),
            NewImage: { packed: { B: new Uint8Array([1, 2]) } },
          },
        })),
        ...(!isEnd && { NextShardIterator: `${shardId} ${next.at(-1) ?? after}` }),
      };
    },
  };
  const client = { send: async (command: object & { input: Input }) => answerOf(answers, command) };
  return makeWaitingRecords({
    client: client as unknown as DynamoDBStreamsClient,
    positions: {
      read: async () => positions.saved,
      async write(_reader, saved) {
        positions.saved = { ...saved };
      },
    },
    streamArn: 'arn:stream',
    reader: 'relay',
    limit: 2,
  });
}

function answerOf(answers: Record<string, (input: Input) => object>, command: object & { input: Input }) {
  const answer = answers[command.constructor.name];
  if (!answer) throw new Error(`no answer to ${command.constructor.name}`);
  return answer(command.input);
}

/** Takes what there is until nothing comes, and returns the ids in their order. */
async function readAll(records: ReturnType<typeof followStream>, outcomes: Record<string, Outcome> = {}) {
  const read: string[] = [];
  for (let batches = await records.take(); batches.length > 0; batches = await records.take()) {
    for (const { ids, settle } of batches) {
      read.push(...ids);
      await settle(ids.map((id) => outcomes[id]).find((outcome) => outcome !== undefined) ?? 'done');
    }
  }
  return read;
}

describe('a stream', () => {
  test('is read from its beginning, and in the next turn from where it was left', async () => {
    const positions = { saved: {} };
    const stream: StreamDouble = { a: { sequences: [1, 2, 3] }, b: { sequences: [10] } };
    expect((await readAll(followStream(stream, positions))).sort()).toEqual(['1', '10', '2', '3']);
    stream.a?.sequences.push(4);
    expect(await readAll(followStream(stream, positions))).toEqual(['4']);
    expect(await readAll(followStream(stream, positions))).toEqual([]);
  });

  test('has children, which are read after their parents', async () => {
    const positions = { saved: {} };
    const stream: StreamDouble = {
      child: { parent: 'parent', sequences: [5] },
      parent: { sequences: [1], closed: true },
      orphan: { parent: 'gone long ago', sequences: [9] },
    };
    expect((await readAll(followStream(stream, positions))).sort()).toEqual(['1', '9']);
    expect(await readAll(followStream(stream, positions))).toEqual(['5']);
    expect(positions.saved).toMatchObject({ parent: 'end', child: '5' });
  });

  test('stops at what fails, and goes on there in the next turn', async () => {
    const positions = { saved: {} };
    const stream: StreamDouble = { a: { sequences: [1, 2, 3] }, b: { sequences: [7] } };
    const failing = { 2: new Set(['2']), 7: 'failed' } as const;
    expect((await readAll(followStream(stream, positions), failing)).sort()).toEqual(['1', '2', '7']);
    expect(positions.saved).toEqual({ a: '1' });
    expect((await readAll(followStream(stream, positions))).sort()).toEqual(['2', '3', '7']);
  });

  test('may have lost what was not read for a day, and goes on with what it has', async () => {
    const stream: StreamDouble = { a: { sequences: [8, 9], trimmedTo: 8 } };
    expect(await readAll(followStream(stream, { saved: { a: '3' } }))).toEqual(['8', '9']);
  });

  test('forgets the positions of shards that are gone', async () => {
    const positions = { saved: { old: 'end' } };
    await readAll(followStream({ a: { sequences: [1] } }, positions));
    expect(positions.saved).toEqual({ a: '1' });
  });

  test('gives functions what a mapping with a window gives them', async () => {
    const [batch] = await followStream({ a: { sequences: [1] } }).take();
    expect(batch?.event).toEqual({
      shardId: 'a',
      eventSourceARN: 'arn:stream',
      state: {},
      Records: [
        {
          eventName: 'INSERT',
          eventSource: 'aws:dynamodb',
          eventSourceARN: 'arn:stream',
          dynamodb: {
            SequenceNumber: '1',
            ApproximateCreationDateTime: 1,
            NewImage: { packed: { B: 'AQI=' } },
          },
        },
      ],
    });
  });
});

describe('a queue', () => {
  function openQueue(ids: string[], failsToDelete = false) {
    const deleted: unknown[] = [];
    const answers: Record<string, (input: Input) => object> = {
      GetQueueAttributesCommand: () => ({ Attributes: { ApproximateNumberOfMessages: String(ids.length) } }),
      ReceiveMessageCommand: () => ({
        Messages: ids.map((id) => ({ MessageId: id, ReceiptHandle: `handle of ${id}`, Body: '{}' })),
      }),
      DeleteMessageBatchCommand: ({ Entries }) => {
        deleted.push(...(Entries as Input[]).map(({ ReceiptHandle }) => ReceiptHandle));
        return failsToDelete ? { Failed: [{ Id: '0' }] } : {};
      },
    };
    const client = { send: async (command: object & { input: Input }) => answerOf(answers, command) };
    const url = 'https://sqs.eu-west-1.amazonaws.com/111122223333/index';
    return { deleted, queue: makeWaitingMessages(client as unknown as SQSClient, url, 10) };
  }

  test('without messages is not received from', async () => {
    expect(await openQueue([]).queue.take()).toEqual([]);
  });

  test.each<[Outcome, string[]]>([
    ['done', ['handle of a', 'handle of b']],
    ['failed', []],
    [new Set(['a']), ['handle of b']],
  ])('loses what was worked on: %p', async (outcome, expected) => {
    const { queue, deleted } = openQueue(['a', 'b']);
    const [batch] = await queue.take();
    expect(batch?.ids).toEqual(['a', 'b']);
    await batch?.settle(outcome);
    expect(deleted).toEqual(expected);
  });

  test('that does not delete what was worked on is reported', async () => {
    const [batch] = await openQueue(['a'], true).queue.take();
    await expect(batch?.settle('done')).rejects.toThrow('could not be deleted');
  });
});
