import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { BoundedMap } from '../aws/bounded-map.ts';
import { isConflict, pauseBeforeRetry, type StoreContext } from '../aws/dynamodb.ts';
import type { Shard } from '../model/stream-record.ts';
import {
  counterKey,
  counterName,
  EVENT_SLOTS_PER_MINUTE,
  eventItem,
  laneOf,
  partitionsOf,
  retentionEnd,
} from './diagnostics-items.ts';
import { makeEventBudget } from './event-budget-store.ts';
import type { RejectionRecord, StreamedRejection } from './rejection-record.ts';

export interface DiagnosticsStore {
  /** Counts each record once, however often and in whatever batches it arrives. Returns how many were new. */
  enter(
    shard: Shard,
    rejections: readonly StreamedRejection[],
    nowMilliseconds: number,
    signal: AbortSignal,
  ): Promise<number>;
}

/** A transaction takes 100 writes, and one of them moves the watermark. */
const MAX_COUNTERS = 99;
/** The events of one minute of a workspace are written one after the other. */
const MINUTES_AT_ONCE = 20;
/** A stream forgets after 24 hours, so nothing is delivered again later than that. */
const WATERMARK_SECONDS = 7 * 24 * 60 * 60;

/**
 * Turns records into counters and recent events. Each shard has a watermark, the sequence number up to which its
 * records are counted. It moves in the same transaction as the counters, and only if nobody else has moved it: a batch
 * that is delivered again, cut in another way, or worked on by two invocations at once is counted once.
 */
export function makeDiagnosticsStore({ client, tables }: StoreContext<'diagnostics'>): DiagnosticsStore {
  /** Watermarks that this environment wrote. If another one has moved on, the condition fails. */
  const marks = new BoundedMap<string>(1_000);
  const budget = makeEventBudget({ client, tables });
  /** Which events are in the slots of a minute, in order, as far as this environment knows. */
  const slotsTaken = new BoundedMap<string[]>(5_000);

  async function readMark(shard: Shard, signal: AbortSignal): Promise<string | undefined> {
    const { Item } = await client.send(
      new GetCommand({ TableName: tables.diagnostics, Key: markKey(shard), ConsistentRead: true }),
      { abortSignal: signal },
    );
    return Item?.sequenceNumber as string | undefined;
  }

  /** Returns the event that is in its slot now: this one, unless another was there. */
  async function putIfFree(Item: EventItem, signal: AbortSignal): Promise<string> {
    const put = new PutCommand({
      TableName: tables.diagnostics,
      Item,
      ConditionExpression: 'attribute_not_exists(sk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await client.send(put, { abortSignal: signal });
      return idOf(Item);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException) || !error.Item) throw error;
      return idOf(unmarshall(error.Item));
    }
  }

  /**
   * The first of a minute, each once. The slots are filled in order, and none is skipped, so an event that is delivered
   * again meets itself before a free slot.
   */
  async function fillSlots(minute: string, records: readonly RejectionRecord[], signal: AbortSignal) {
    const taken = slotsTaken.get(minute) ?? [];
    slotsTaken.set(minute, taken);
    for (const record of records) {
      for (let slot = taken.length; slot < EVENT_SLOTS_PER_MINUTE; slot = taken.length) {
        const item = eventItem(record, slot);
        if (!item || taken.includes(idOf(item))) break;
        taken[slot] = await putIfFree(item, signal);
      }
    }
  }

  /** Before the counters: an invocation that dies in between meets the same events again. */
  async function keepEvents(records: readonly RejectionRecord[], signal: AbortSignal): Promise<void> {
    const minutes = Map.groupBy(await budget.within(records, signal), (record) => {
      const item = eventItem(record);
      return item && `${item.workspaceId}/${item.sk}`;
    });
    const queue = [...minutes];
    async function work(): Promise<void> {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [minute, ofMinute] = next;
        if (minute !== undefined) await fillSlots(minute, ofMinute, signal);
      }
    }
    await Promise.all(Array.from({ length: MINUTES_AT_ONCE }, work));
  }

  async function enter(
    shard: Shard,
    rejections: readonly StreamedRejection[],
    nowMilliseconds: number,
    signal: AbortSignal,
  ): Promise<number> {
    const markName = `${shard.streamArn}/${shard.shardId}`;
    let mark = marks.get(markName) ?? (await readMark(shard, signal));
    const newOnes = () => above(mark, rejections);
    await keepEvents(
      newOnes().map(({ record }) => record),
      signal,
    );
    let entered = 0;
    for (let attempt = 1; newOnes().length > 0; ) {
      const { prefix, counters } = takePrefix(newOnes(), laneOf(shard.shardId));
      const next = String(prefix.at(-1)?.sequenceNumber);
      const moved = { ...shard, from: mark, to: next, nowMilliseconds };
      try {
        await client.send(enterCommand(tables.diagnostics, moved, counters), { abortSignal: signal });
        mark = next;
        entered += prefix.length;
        attempt = 1;
      } catch (error) {
        if (!isConflict(error) && !wasMovedConcurrently(error)) throw error;
        await pauseBeforeRetry(attempt, signal);
        attempt += 1;
        mark = await readMark(shard, signal);
      }
    }
    if (mark !== undefined) marks.set(markName, mark);
    return entered;
  }

  return { enter };
}

type EventItem = NonNullable<ReturnType<typeof eventItem>>;

const idOf = ({ requestId, suffix }: Readonly<Record<string, unknown>>) => `${requestId}/${suffix}`;

interface Counter {
  readonly workspaceId: string;
  readonly sk: string;
  readonly counts: Map<string, number>;
  latestAt: string;
}

function above(mark: string | undefined, rejections: readonly StreamedRejection[]): StreamedRejection[] {
  const lowest = mark === undefined ? -1n : BigInt(mark);
  return rejections
    .filter(({ sequenceNumber }) => sequenceNumber > lowest)
    .sort((a, b) => (a.sequenceNumber < b.sequenceNumber ? -1 : 1))
    .filter(({ sequenceNumber }, index, all) => sequenceNumber !== all[index - 1]?.sequenceNumber);
}

/** The first records, as many as one transaction can count: the watermark covers everything below it. */
function takePrefix(sorted: readonly StreamedRejection[], lane: number) {
  const counters = new Map<string, Counter>();
  let taken = 0;
  for (const { record } of sorted) {
    const keys = partitionsOf(record).map((workspaceId) => counterKey(workspaceId, record, lane));
    const added = keys.filter(({ workspaceId, sk }) => !counters.has(`${workspaceId}/${sk}`)).length;
    if (counters.size + added > MAX_COUNTERS) break;
    for (const { workspaceId, sk } of keys) {
      const name = `${workspaceId}/${sk}`;
      const counter = counters.get(name) ?? { workspaceId, sk, counts: new Map(), latestAt: record.at };
      const minute = counterName(record.at);
      counter.counts.set(minute, (counter.counts.get(minute) ?? 0) + 1);
      if (record.at > counter.latestAt) counter.latestAt = record.at;
      counters.set(name, counter);
    }
    taken += 1;
  }
  return { prefix: sorted.slice(0, taken), counters: [...counters.values()] };
}

interface Move extends Shard {
  readonly from: string | undefined;
  readonly to: string;
  readonly nowMilliseconds: number;
}

function enterCommand(table: string, move: Move, counters: readonly Counter[]) {
  return new TransactWriteCommand({
    TransactItems: [
      {
        Put: {
          TableName: table,
          Item: {
            ...markKey(move),
            sequenceNumber: move.to,
            expiresAt: Math.ceil(move.nowMilliseconds / 1000) + WATERMARK_SECONDS,
            v: 1,
          },
          ConditionExpression:
            move.from === undefined ? 'attribute_not_exists(sk)' : 'sequenceNumber = :from',
          ...(move.from !== undefined && { ExpressionAttributeValues: { ':from': move.from } }),
        },
      },
      ...counters.map((counter) => ({ Update: raise(table, counter, move.nowMilliseconds) })),
    ],
  });
}

/** Also stores up to when the counts are complete and when they were made. */
function raise(table: string, { workspaceId, sk, counts, latestAt }: Counter, nowMilliseconds: number) {
  const minutes = [...counts.keys()];
  return {
    TableName: table,
    Key: { workspaceId, sk },
    UpdateExpression:
      `ADD ${minutes.map((minute) => `${minute} :${minute}`).join(', ')}` +
      ' SET latestAt = :latestAt, countedAt = :countedAt, expiresAt = :expiresAt, v = :v',
    ExpressionAttributeValues: {
      ...Object.fromEntries([...counts].map(([minute, count]) => [`:${minute}`, count])),
      ':latestAt': latestAt,
      ':countedAt': new Date(nowMilliseconds).toISOString(),
      ':expiresAt': retentionEnd(latestAt),
      ':v': 2,
    },
  };
}

/** In partitions that no workspace uses. */
function markKey({ streamArn, shardId }: Shard) {
  return { workspaceId: `watermark#${shardId}`, sk: streamArn };
}

function wasMovedConcurrently(error: unknown): boolean {
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ConditionalCheckFailed')
  );
}
