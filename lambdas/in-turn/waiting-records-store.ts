import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { makeSocketPool } from '../aws/socket-pool.ts';
import type { Batch, Outcome } from './batch.ts';
import { SHARD_END, type ShardPositionsStore } from './shard-positions-store.ts';

const TIMEOUT_MS = 5_000;

export function makeWaitingRecordsClient(): DynamoDBStreamsClient {
  return new DynamoDBStreamsClient({ maxAttempts: 3, requestHandler: makeSocketPool()(TIMEOUT_MS) });
}

export interface WaitingRecords {
  /** The next records, one batch for each shard that has some. */
  take(): Promise<Batch[]>;
}

interface WaitingRecordsContext {
  readonly client: DynamoDBStreamsClient;
  readonly positions: ShardPositionsStore;
  readonly streamArn: string;
  /** Names the positions: the function that follows the stream. */
  readonly reader: string;
  readonly limit: number;
}

/** GetRecords may return nothing before it comes to the next record. */
const EMPTY_READS = 3;

/**
 * For one turn. Reads each shard in order, and children after their parents. Like a mapping, it starts with the oldest
 * record that the stream still has. What has failed blocks its shard and is read again in the next turn. It passes on
 * what a mapping's filter leaves out: functions skip it, and filters only save invocations.
 */
export function makeWaitingRecords(context: WaitingRecordsContext): WaitingRecords {
  const { client, positions, streamArn, reader, limit } = context;
  const iterators = new Map<string, string>();
  const blocked = new Set<string>();
  let known: Record<string, string> = {};
  let open: string[] | undefined;

  async function find(): Promise<string[]> {
    const shards = await listShards(client, streamArn);
    const kept = await positions.read(reader);
    // Shards disappear after a day.
    known = Object.fromEntries(Object.entries(kept).filter(([id]) => shards.has(id)));
    const isRead = (id: string | undefined) => id === undefined || !shards.has(id) || known[id] === SHARD_END;
    return [...shards].filter(([id, parent]) => known[id] !== SHARD_END && isRead(parent)).map(([id]) => id);
  }

  async function iteratorOf(shardId: string): Promise<string | undefined> {
    const after = known[shardId];
    const from =
      after === undefined
        ? ({ ShardIteratorType: 'TRIM_HORIZON' } as const)
        : ({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after } as const);
    const command = new GetShardIteratorCommand({ StreamArn: streamArn, ShardId: shardId, ...from });
    return (await client.send(command)).ShardIterator;
  }

  async function read(shardId: string): Promise<readonly StreamRecord[]> {
    for (let reads = 0; reads < EMPTY_READS; reads += 1) {
      const ShardIterator = iterators.get(shardId) ?? (await iteratorOf(shardId));
      const command = new GetRecordsCommand({ ShardIterator, Limit: limit });
      const { Records = [], NextShardIterator: next } = await client.send(command);
      if (next !== undefined) iterators.set(shardId, next);
      if (Records.length > 0) return Records;
      if (next === undefined) {
        open = open?.filter((id) => id !== shardId);
        await note(shardId, SHARD_END);
        return [];
      }
    }
    return [];
  }

  /** What the stream no longer has was in it for a day: go on with the oldest that it has. */
  function readAgain(shardId: string): (error: unknown) => Promise<readonly StreamRecord[]> {
    return (error) => {
      if (error instanceof TrimmedDataAccessException) delete known[shardId];
      else if (!(error instanceof ExpiredIteratorException)) throw error;
      iterators.delete(shardId);
      return read(shardId);
    };
  }

  async function note(shardId: string, position: string): Promise<void> {
    known[shardId] = position;
    await positions.write(reader, known);
  }

  async function settle(shardId: string, records: readonly StreamRecord[], outcome: Outcome): Promise<void> {
    const failed = (record: StreamRecord) =>
      outcome === 'failed' || (outcome !== 'done' && outcome.has(sequenceOf(record)));
    const first = records.findIndex(failed);
    if (first >= 0) blocked.add(shardId);
    const last = first < 0 ? records.at(-1) : records[first - 1];
    if (last) await note(shardId, sequenceOf(last));
  }

  return {
    async take() {
      open ??= await find();
      const readable = open.filter((id) => !blocked.has(id));
      const batches = await Promise.all(
        readable.map(async (shardId): Promise<Batch[]> => {
          const records = await read(shardId).catch(readAgain(shardId));
          if (records.length === 0) return [];
          const event = eventOf(records, streamArn, shardId);
          const ids = records.map(sequenceOf);
          return [{ event, ids, settle: (outcome) => settle(shardId, records, outcome) }];
        }),
      );
      return batches.flat();
    },
  };
}

const sequenceOf = ({ dynamodb }: StreamRecord): string => dynamodb?.SequenceNumber ?? '';

/** The ids of all shards with those of their parents. */
async function listShards(
  client: DynamoDBStreamsClient,
  StreamArn: string,
): Promise<Map<string, string | undefined>> {
  const shards = new Map<string, string | undefined>();
  let ExclusiveStartShardId: string | undefined;
  do {
    const { StreamDescription } = await client.send(
      new DescribeStreamCommand({ StreamArn, ExclusiveStartShardId }),
    );
    for (const { ShardId, ParentShardId } of StreamDescription?.Shards ?? []) {
      if (ShardId !== undefined) shards.set(ShardId, ParentShardId);
    }
    ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
  } while (ExclusiveStartShardId !== undefined);
  return shards;
}

/** As a mapping with a window passes it on: functions need the shard, and none uses the window. */
function eventOf(records: readonly StreamRecord[], eventSourceARN: string, shardId: string) {
  const Records = records.map((record) => ({
    ...record,
    dynamodb: inJson(record.dynamodb),
    eventSource: 'aws:dynamodb',
    eventSourceARN,
  }));
  return { Records, shardId, eventSourceARN, state: {} };
}

/** Items in DynamoDB's JSON have bytes as base64, and times in seconds. */
function inJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Date) return value.getTime() / 1_000;
  if (Array.isArray(value)) return value.map(inJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inJson(inner)]));
}
