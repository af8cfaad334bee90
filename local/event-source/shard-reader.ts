import { backoffMilliseconds, type EventSourceSettings, pause } from './event-source.ts';
import type { StreamMapping } from './mapping.ts';
import { type ServiceClient, ServiceError } from './service-client.ts';
import {
  type DeliverBatch,
  type LambdaStreamRecord,
  type StreamItem,
  type StreamRecord,
  toLambdaRecord,
} from './stream-delivery.ts';

export interface Shard {
  readonly ShardId?: string;
  readonly ParentShardId?: string;
}

export interface ShardPage {
  readonly Shards?: readonly Shard[];
  readonly LastEvaluatedShardId?: string | undefined;
}

export interface StartOfReading {
  readonly ShardId: string;
  readonly ShardIteratorType: 'TRIM_HORIZON' | 'LATEST' | 'AFTER_SEQUENCE_NUMBER';
  readonly SequenceNumber?: string | undefined;
}

export interface ReadRecords {
  readonly Records?: readonly StreamRecord[];
  readonly NextShardIterator?: string | undefined;
}

/** The calls for reading a stream. */
export interface StreamsApi {
  describe(streamArn: string, after: string | undefined, signal: AbortSignal): Promise<ShardPage>;
  openIterator(streamArn: string, from: StartOfReading, signal: AbortSignal): Promise<string | undefined>;
  getRecords(iterator: string | undefined, limit: number, signal: AbortSignal): Promise<ReadRecords>;
}

export function makeStreamsApi({ call }: ServiceClient): StreamsApi {
  return {
    async describe(StreamArn, ExclusiveStartShardId, signal) {
      const input = { StreamArn, ExclusiveStartShardId };
      const output = await call<{ StreamDescription?: ShardPage }>('DescribeStream', input, signal);
      return output.StreamDescription ?? {};
    },
    async openIterator(StreamArn, from, signal) {
      const input = { StreamArn, ...from };
      return (await call<{ ShardIterator?: string }>('GetShardIterator', input, signal)).ShardIterator;
    },
    getRecords: (ShardIterator, Limit, signal) => call('GetRecords', { ShardIterator, Limit }, signal),
  };
}

export interface ShardFollowerSettings extends Pick<EventSourceSettings, 'pace'> {
  readonly mapping: StreamMapping;
  readonly shardId: string;
  readonly reader: ShardReader;
  readonly deliver: DeliverBatch;
  /** Everything up to this record has been delivered. */
  readonly onDelivered: (sequenceNumber: string) => void;
  readonly signal: AbortSignal;
}

/** The limit of GetRecords. */
const READ_LIMIT = 1_000;
/** Lambda's event limit, with some room: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const BATCH_LIMIT_BYTES = 6_000_000;

/** Reads a shard to its end, one batch after the other. */
export async function followShard(settings: ShardFollowerSettings): Promise<void> {
  const { mapping, shardId, reader, deliver, onDelivered, pace, signal } = settings;
  let waiting: StreamItem[] = [];
  let waitUntil = 0;
  for (let ended = false; !ended && !signal.aborted; ) {
    const limit = Math.min(mapping.batchSize, READ_LIMIT);
    const rest = pace.begin();
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
      const last = batch.at(-1)?.sequenceNumber;
      if (last && !signal.aborted) onDelivered(last);
    }
    // The filter may have left out the last records.
    const lastRead = records.at(-1)?.dynamodb.SequenceNumber;
    if (waiting.length === 0 && lastRead && !signal.aborted) onDelivered(lastRead);
    if (records.length < limit && !ended) await rest(signal);
  }
}

function toItem(record: LambdaStreamRecord): StreamItem {
  return { sequenceNumber: record.dynamodb.SequenceNumber ?? '', json: JSON.stringify(record) };
}

/** At most the batch size, and at most what fits into an event. */
function takeBatch(items: readonly StreamItem[], batchSize: number): StreamItem[] {
  let bytes = 0;
  const tooMany = items.findIndex(({ json }, index) => {
    bytes += Buffer.byteLength(json);
    return index > 0 && (index >= batchSize || bytes > BATCH_LIMIT_BYTES);
  });
  return tooMany === -1 ? [...items] : items.slice(0, tooMany);
}

export interface ShardReader {
  /** Fixes the starting position: everything written after this is read. */
  open(): Promise<void>;
  /** The next records, if any. `ended`: the shard is closed and was read to its end. */
  read(limit: number): Promise<{ readonly records: readonly StreamRecord[]; readonly ended: boolean }>;
}

export interface ShardReaderSettings {
  readonly streams: StreamsApi;
  readonly streamArn: string;
  readonly shardId: string;
  readonly from: 'TRIM_HORIZON' | 'LATEST';
  /** The last record that an earlier reader has delivered. */
  readonly after?: string | undefined;
  readonly signal: AbortSignal;
}

const END = { records: [], ended: true };

/** Reads a shard from its beginning or end. Remembers the last record, since iterators expire after 15 minutes. */
export function makeShardReader(settings: ShardReaderSettings): ShardReader {
  const { streams, streamArn, shardId, signal } = settings;
  let { from } = settings;
  let lastSequenceNumber = settings.after;
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
      try {
        iterator = await openIterator();
      } catch (error) {
        if (lastSequenceNumber === undefined || !(error instanceof ServiceError)) throw error;
        // The stream no longer knows it: rather deliver again than leave out.
        lastSequenceNumber = undefined;
        from = 'TRIM_HORIZON';
        iterator = await openIterator();
      }
    },
    async read(limit) {
      for (let failures = 1; !signal.aborted; failures += 1) {
        try {
          return await attempt(limit);
        } catch (error) {
          // Deleting a table deletes its stream.
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
  return error instanceof ServiceError && error.name === name;
}
