import { setTimeout as sleep } from 'node:timers/promises';
import { makeDocumentClient } from '../../aws/dynamodb.ts';
import { describeError, toStdout, type WriteLine } from '../../aws/telemetry.ts';
import { requireVariable, tablesFromEnvironment } from '../../contract.ts';
import { type Batch, type Outcome, readBatchResponse } from '../batch.ts';
import { IN_TURN_VARIABLE, type InTurnSource, lanesOf } from '../in-turn-source.ts';
import { type InvokeFunction, makeInvokeFunction } from '../invocations-store.ts';
import { makeShardPositions } from '../shard-positions-store.ts';
import { makeWaitingMessages, makeWaitingMessagesClient } from '../waiting-messages-store.ts';
import { makeWaitingRecords, makeWaitingRecordsClient } from '../waiting-records-store.ts';

/** What waits for a function. */
export interface Waiting extends Pick<InTurnSource, 'fn' | 'seconds'> {
  /** The next batches, if something waits. */
  take(): Promise<Batch[]>;
}

export interface WorkInTurnDependencies {
  /** New for each turn. */
  readonly open: () => readonly Waiting[];
  readonly invoke: InvokeFunction;
  readonly now: () => number;
  readonly write: WriteLine;
  /** How long to wait for room. */
  readonly pauseMilliseconds: number;
}

/** Below the minute after which the next turn begins. No function is started that could run longer. */
const TURN_MS = 57_000;

/**
 * For small accounts, where the mappings are off because they could take all the concurrency that leads need. Once a
 * minute, this takes what waits and invokes the functions, one at a time in each lane. It ends when nothing waits, or
 * shortly before the next turn.
 */
export function makeWorkInTurn(dependencies: WorkInTurnDependencies) {
  return async function workInTurn(): Promise<void> {
    const turn = startTurn(dependencies);
    const lanes = lanesOf(dependencies.open());
    // Again from the start, because what one lane has done may be work for the other.
    while ((await Promise.all(lanes.map(turn.work))).includes(true));
    const { batches, failed } = turn.counts;
    dependencies.write(JSON.stringify({ level: 'INFO', code: 'inTurn.ended', batches, failed }));
    // Sets off an alarm: nothing else tells that a stream does not get on. The next turn begins where this one failed.
    if (failed > 0) throw new Error(`${failed} of ${batches} batches have failed`);
  };
}

function startTurn({ invoke, now, write, pauseMilliseconds }: WorkInTurnDependencies) {
  const startedAt = now();
  const hasTime = ({ seconds }: Waiting) => now() + seconds * 1_000 <= startedAt + TURN_MS;
  const counts = { batches: 0, failed: 0 };

  function fail({ fn }: Waiting, error: unknown): void {
    counts.failed += 1;
    write(JSON.stringify({ level: 'ERROR', code: 'inTurn.defect', fn, ...describeError(error) }));
  }

  /** Leads come first: without room for a function, its work waits. */
  async function invokeWithRoom(waiting: Waiting, event: string): Promise<string> {
    while (hasTime(waiting)) {
      const payload = await invoke(waiting.fn, event);
      if (payload !== undefined) return payload;
      await sleep(pauseMilliseconds);
    }
    throw new Error('there was no room for the function');
  }

  async function deliver(waiting: Waiting, { event, ids, settle }: Batch): Promise<void> {
    counts.batches += 1;
    let outcome: Outcome = 'failed';
    try {
      outcome = readBatchResponse(await invokeWithRoom(waiting, JSON.stringify(event)), new Set(ids));
      if (outcome === 'failed') throw new Error('an invalid batch response');
    } catch (error) {
      fail(waiting, error);
    }
    await settle(outcome).catch((error) => fail(waiting, error));
  }

  /** One batch of each queue and shard. Not always of the same one first: the time may not suffice for all. */
  async function pass(lane: readonly Waiting[]): Promise<boolean> {
    const first = Math.floor(startedAt / 60_000) % Math.max(1, lane.length);
    let found = false;
    for (const waiting of [...lane.slice(first), ...lane.slice(0, first)].filter(hasTime)) {
      // The one before may have taken long.
      const batches = hasTime(waiting) ? await waiting.take().catch((error) => fail(waiting, error)) : [];
      for (const batch of batches ?? []) await deliver(waiting, batch);
      found ||= (batches ?? []).length > 0;
    }
    return found;
  }

  return {
    counts,
    /** Until nothing waits. Returns whether something did. */
    async work(lane: readonly Waiting[]): Promise<boolean> {
      let found = false;
      while (await pass(lane)) found = true;
      return found;
    },
  };
}

export function workInTurnDependencies(env: NodeJS.ProcessEnv): WorkInTurnDependencies {
  const sources = JSON.parse(requireVariable(env, IN_TURN_VARIABLE)) as InTurnSource[];
  const positions = makeShardPositions({
    client: makeDocumentClient(),
    tables: tablesFromEnvironment(env, ['stats']),
  });
  const [queues, streams] = [makeWaitingMessagesClient(), makeWaitingRecordsClient()];
  return {
    open: () =>
      sources.map(({ fn, batch: limit, seconds, queue, stream }) => {
        if (queue !== undefined) return { fn, seconds, ...makeWaitingMessages(queues, queue, limit) };
        const streamArn = stream as string;
        const given = { client: streams, positions, streamArn, reader: fn, limit };
        return { fn, seconds, ...makeWaitingRecords(given) };
      }),
    invoke: makeInvokeFunction(),
    now: Date.now,
    write: toStdout,
    pauseMilliseconds: 1_000,
  };
}
