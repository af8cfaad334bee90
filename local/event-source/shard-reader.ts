import { backoffMilliseconds, type EventSourceSettings, pause } from './event-source.ts';
import type { StreamMapping } from './mapping.ts';
import {
  type DeliverBatch,
  type LambdaStreamRecord,
  type StreamItem,
  type StreamRecord,
  toLambdaRecord,
} from './stream-delivery.ts';
import { type StreamsApi, StreamsError } from './streams-api.ts';

export interface ShardFollowerSettings extends Pick<EventSourceSettings, 'pace'> {
  readonly mapping: StreamMapping;
  readonly shardId: string;
  readonly reader: ShardReader;
  readonly deliver: DeliverBatch;
  readonly signal: AbortSignal;
}

/** What GetRecords gives at most. */
const READ_LIMIT = 1_000;
/** Of an event, with room to spare: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const BATCH_LIMIT_BYTES = 6_000_000;

/** Reads a shard to its end, batch by batch: the next is not begun before the last is done. */
export async function followShard(settings: ShardFollowerSettings): Promise<void> {
  const { mapping, shardId, reader, deliver, pace, signal } = settings;
  let waiting: StreamItem[] = [];
  let waitUntil = 0;
  for (let ended = false; !ended && !signal.aborted; ) {
    const limit = Math.min(mapping.batchSize, READ_LIMIT);
    const read = await reader.read(limit);
    ended = read.ended;
    if (waiting.length === 0) waitUntil = performance.now() + mapping.batchingWindowSeconds * 1000;
    const records = read.records.map((record) => toLambdaRecord(record, mapping.streamArn));
    waiting.push(...records.filter(mapping.matches).map(toItem));
    const isDue = () =>
      waiting.length >= mapping.batchSize ||
      (waiting.length > 0 && (ended || performance.now() >= waitUntil));
    while (isDue() && !signal.aborted) {
      const batch = takeBatch(waiting, mapping.batchSize);
      waiting = waiting.slice(batch.length);
      await deliver(batch, shardId);
    }
    // Also after a few: Lambda looks four times per second, and what comes meanwhile makes one batch instead of many.
    if (records.length < limit && !ended) await pace.rest(signal);
  }
}

function toItem(record: LambdaStreamRecord): StreamItem {
  return { sequenceNumber: record.dynamodb.SequenceNumber ?? '', json: JSON.stringify(record) };
}

/** As many as the mapping wants at once, and as fit into an event. */
function takeBatch(items: readonly StreamItem[], batchSize: number): StreamItem[] {
  let bytes = 0;
  const tooMany = items.findIndex(({ json }, index) => {
    bytes += Buffer.byteLength(json);
    return index > 0 && (index >= batchSize || bytes > BATCH_LIMIT_BYTES);
  });
  return tooMany === -1 ? [...items] : items.slice(0, tooMany);
}

export interface ShardReader {
  /** Takes the position that it starts from: what is written after this is read, also from a shard's end. */
  open(): Promise<void>;
  /** What comes next, or nothing. `ended`: the shard is closed and has been read to its end. */
  read(limit: number): Promise<{ readonly records: readonly StreamRecord[]; readonly ended: boolean }>;
}

export interface ShardReaderSettings {
  readonly streams: StreamsApi;
  readonly streamArn: string;
  readonly shardId: string;
  readonly from: 'TRIM_HORIZON' | 'LATEST';
  readonly signal: AbortSignal;
}

const END = { records: [], ended: true };

/** Reads a shard from its beginning or end. Remembers the last record, for an iterator lives 15 minutes. */
export function makeShardReader(settings: ShardReaderSettings): ShardReader {
  const { streams, streamArn, shardId, signal } = settings;
  let { from } = settings;
  let lastSequenceNumber: string | undefined;
  let iterator: string | undefined;

  const openIterator = () =>
    streams.openIterator(
      streamArn,
      {
        ShardId: shardId,
        ShardIteratorType: lastSequenceNumber === undefined ? from : 'AFTER_SEQUENCE_NUMBER',
        SequenceNumber: lastSequenceNumber,
      },
      signal,
    );

  async function attempt(limit: number) {
    iterator ??= await openIterator();
    const { Records: records = [], NextShardIterator: next } = await streams.getRecords(
      iterator,
      limit,
      signal,
    );
    iterator = next;
    lastSequenceNumber = records.at(-1)?.dynamodb?.SequenceNumber ?? lastSequenceNumber;
    return { records, ended: next === undefined };
  }

  return {
    async open() {
      iterator = await openIterator();
    },
    async read(limit) {
      for (let failures = 1; !signal.aborted; failures += 1) {
        try {
          return await attempt(limit);
        } catch (error) {
          // A table that is deleted takes its stream with it.
          if (isA('ResourceNotFoundException', error)) return END;
          if (isA('TrimmedDataAccessException', error)) {
            lastSequenceNumber = undefined;
            from = 'TRIM_HORIZON';
          }
          iterator = undefined;
          if (!isA('ExpiredIteratorException', error)) await pause(backoffMilliseconds(failures), signal);
        }
      }
      return END;
    },
  };
}

function isA(name: string, error: unknown): boolean {
  return error instanceof StreamsError && error.name === name;
}
