import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Planted } from './compile-planted.ts';
import type { Keep, ScheduleResult } from './run-schedule.ts';
import type { Order, Share } from './worker.ts';

/**
 * Tries to break the service's guarantees.
 *
 *     scenario + seed ─> World ─ senders, owner, streams, queue: concurrent programs
 *                          │
 *                          ├─ the real handlers, middleware and stores, in environments with separate memory
 *                          │    └─ the real SDK client: marshalling, retries, errors (without signatures)
 *                          │
 *                          ├─ Network: every attempt of every call waits for its turn, then gets an outcome: ok, lost
 *                          │    after commit, throttled, 5xx, timeout, late, TransactionConflict, process death
 *                          │    └─ DynamoDbDouble, compared with DynamoDB Local by conformance.full.test.ts; QueueDouble
 *                          │
 *                          ├─ Scheduler: picks the next turn at random. VirtualTime: no waiting, no other clock
 *                          └─ at the end: invariants/, over the tables and every response
 *
 * The seed decides everything. A schedule is a sequence of (request, call, outcome); its fingerprint tells whether it
 * has been seen before, so that only distinct ones count. defects.full.test.ts breaks the real source in three dozen ways and
 * checks that the harness finds each one.
 *
 * Not covered: anything between the sender and the function, clock skew, and faults where DynamoDB breaks its own
 * guarantees.
 */
export interface Exploration {
  readonly scenarios: readonly string[];
  readonly firstSeed?: number;
  readonly seeds: number;
  readonly threads?: number;
  readonly stopAtFailure?: boolean;
  readonly keep?: Keep;
  /** A source to use instead of the real one. */
  readonly planted?: Planted;
}

/** How many schedules of each scenario are tried: without a defect all of them, with a defect until it is found. */
export const SEEDS = 660;
/** The same, for scenarios whose schedules take long. All defects planted for them but one are found in half as many. */
export const SEEDS_OF_LONG = 120;

export interface Findings {
  readonly schedules: number;
  readonly distinct: number;
  readonly seconds: number;
  readonly failures: readonly ScheduleResult[];
  readonly results: readonly ScheduleResult[];
}

export async function explore(exploration: Exploration): Promise<Findings> {
  const { firstSeed = 1, seeds, threads = Math.min(availableParallelism(), seeds) } = exploration;
  const startedAt = performance.now();
  const shares = await Promise.all(
    Array.from({ length: threads }, (_, thread) =>
      inThread({
        scenarios: exploration.scenarios,
        planted: exploration.planted,
        firstSeed: firstSeed + thread,
        lastSeed: firstSeed + seeds - 1,
        stride: threads,
        stopAtFailure: exploration.stopAtFailure ?? false,
        keep: exploration.keep ?? {},
      }),
    ),
  );
  return {
    schedules: shares.reduce((sum, { schedules }) => sum + schedules, 0),
    distinct: new Set(shares.flatMap(({ fingerprints }) => fingerprints)).size,
    seconds: (performance.now() - startedAt) / 1_000,
    failures: shares.flatMap(({ failures }) => failures),
    results: shares.flatMap(({ results }) => results),
  };
}

function inThread(order: Order): Promise<Share> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: order });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('A thread ended without a result')));
  });
}

/** A failed schedule in readable form, with the command that replays it. */
export function describeFailure({ scenario, seed, violations, timeline }: ScheduleResult): string {
  return [
    ...violations,
    ...timeline,
    `replay: FAULT_SCENARIO=${scenario} FAULT_SEED=${seed} npm run test:all -- test/faults/interleavings -t replays`,
  ].join('\n');
}
