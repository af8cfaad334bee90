import { backoffMilliseconds } from './backoff.ts';
import { pause } from './pace.ts';
import type { StreamRecord } from './stream-record.ts';
import { type StreamsApi, StreamsError } from './streams-api.ts';

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
