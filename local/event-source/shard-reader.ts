import { Agent, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from '../local-account.ts';
import { backoffMilliseconds, type EventSourceSettings, pause } from './event-source.ts';
import type { StreamMapping } from './mapping.ts';
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

/** An error from DynamoDB, named like the SDK's class. */
export class StreamsError extends Error {
  override readonly name: string;

  constructor(type: string) {
    super(type);
    this.name = type.slice(type.indexOf('#') + 1);
  }
}

/**
 * Reads the streams of DynamoDB Local as JSON. The SDK would convert each record to objects that we convert back, which
 * took much of the main thread's time.
 */
export function makeStreamsApi(
  endpoint: string,
  accessKeyId: string = LOCAL_CREDENTIALS.accessKeyId,
): StreamsApi & { destroy(): void } {
  const agent = new Agent({ keepAlive: true });
  const scope = `${accessKeyId}/20260101/${LOCAL_REGION}/dynamodb/aws4_request`;
  const headers = {
    'Content-Type': 'application/x-amz-json-1.0',
    // Required but not checked.
    Authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none`,
  };

  async function send(name: string, body: string, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const target = `DynamoDBStreams_20120810.${name}`;
      request(endpoint, {
        method: 'POST',
        agent,
        signal,
        headers: { ...headers, 'X-Amz-Target': target, 'Content-Length': Buffer.byteLength(body) },
      })
        .once('response', resolve)
        .once('error', reject)
        .end(body);
    });
  }

  async function call<Output>(name: string, input: object, signal: AbortSignal): Promise<Output> {
    const response = await send(name, JSON.stringify(input), signal);
    const output = (await json(response)) as Output & { __type?: string };
    if (response.statusCode !== 200) throw new StreamsError(output.__type ?? `status ${response.statusCode}`);
    return output;
  }

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
    destroy: () => agent.destroy(),
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
        if (lastSequenceNumber === undefined || !(error instanceof StreamsError)) throw error;
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
  return error instanceof StreamsError && error.name === name;
}
