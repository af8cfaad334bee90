import {
  type _Record,
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ResourceNotFoundException,
  type ShardIteratorType,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { backoffMilliseconds } from './backoff.ts';
import { pause } from './pace.ts';

export interface ShardReader {
  /** Takes the position that it starts from: what is written after this is read, also from a shard's end. */
  open(): Promise<void>;
  /** What comes next, or nothing. `ended`: the shard is closed and has been read to its end. */
  read(limit: number): Promise<{ readonly records: readonly _Record[]; readonly ended: boolean }>;
}

export interface ShardReaderSettings {
  readonly client: DynamoDBStreamsClient;
  readonly streamArn: string;
  readonly shardId: string;
  readonly from: 'TRIM_HORIZON' | 'LATEST';
  readonly signal: AbortSignal;
}

const END = { records: [], ended: true };

/** Reads a shard from its beginning or end. Remembers the last record, for an iterator lives 15 minutes. */
export function makeShardReader(settings: ShardReaderSettings): ShardReader {
  const { client, streamArn, shardId, signal } = settings;
  let from: ShardIteratorType = settings.from;
  let lastSequenceNumber: string | undefined;
  let iterator: string | undefined;

  async function openIterator(): Promise<string | undefined> {
    const { ShardIterator } = await client.send(
      new GetShardIteratorCommand({
        StreamArn: streamArn,
        ShardId: shardId,
        ShardIteratorType: lastSequenceNumber === undefined ? from : 'AFTER_SEQUENCE_NUMBER',
        SequenceNumber: lastSequenceNumber,
      }),
      { abortSignal: signal },
    );
    return ShardIterator;
  }

  async function attempt(limit: number) {
    iterator ??= await openIterator();
    const { Records: records = [], NextShardIterator: next } = await client.send(
      new GetRecordsCommand({ ShardIterator: iterator, Limit: limit }),
      { abortSignal: signal },
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
          if (error instanceof ResourceNotFoundException) return END;
          if (error instanceof TrimmedDataAccessException) {
            lastSequenceNumber = undefined;
            from = 'TRIM_HORIZON';
          }
          iterator = undefined;
          if (!(error instanceof ExpiredIteratorException))
            await pause(backoffMilliseconds(failures), signal);
        }
      }
      return END;
    },
  };
}
