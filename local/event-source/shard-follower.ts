import type { EventSourceSettings } from './event-source.ts';
import type { StreamMapping } from './mapping.ts';
import type { ShardReader } from './shard-reader.ts';
import type { DeliverBatch, StreamItem } from './stream-delivery.ts';
import { type LambdaStreamRecord, toLambdaRecord } from './stream-record.ts';

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
