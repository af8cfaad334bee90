import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Defect } from './defects.ts';
import type { ScheduleResult } from './run-schedule.ts';
import type { Order, Share } from './worker.ts';

/**
 * The machine that tries to break the service's promises.
 *
 *     scenario + seed ─> World ─ senders, owner, streams, queue: programs that act side by side
 *                          │
 *                          ├─ the real handlers, middleware and stores, in environments with memories of their own
 *                          │    └─ the real SDK client: marshalling, retries, errors (only its signatures are left out)
 *                          │
 *                          ├─ Network: every attempt of every call waits for its turn, and meets its fate: ok, lost
 *                          │    after commit, throttled, 5xx, timeout, late, TransactionConflict, process death
 *                          │    └─ DynamoDbDouble, held to DynamoDB Local by conformance.test.ts; QueueDouble
 *                          │
 *                          ├─ Scheduler: draws whose turn it is. VirtualTime: no waiting, no other clock
 *                          └─ when all is over: invariants/, over the tables and every answer given
 *
 * Nothing is left to chance but the seed. A schedule is a sequence of (request, call, outcome); its fingerprint says
 * whether it has been seen before, and only distinct ones are counted. What a defect looks like to this machine is
 * shown by defects.test.ts, in which the real source is broken in fifteen ways and every one is found.
 *
 * What it does not show: anything between the sender and the function, clocks that disagree, and faults of DynamoDB that
 * break its own promises.
 */
export interface Exploration {
  readonly scenarios: readonly string[];
  readonly firstSeed?: number;
  readonly seeds: number;
  readonly threads?: number;
  readonly stopAtFailure?: boolean;
  readonly keepTimeline?: boolean;
  readonly defect?: Defect;
}

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
        defect: exploration.defect,
        firstSeed: firstSeed + thread,
        lastSeed: firstSeed + seeds - 1,
        stride: threads,
        stopAtFailure: exploration.stopAtFailure ?? false,
        keepTimeline: exploration.keepTimeline ?? false,
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
    worker.once('exit', () => reject(new Error('A thread ended without its share')));
  });
}

/** A failed schedule for a person to read, with the command that plays it again. */
export function describeFailure({ scenario, seed, violations, timeline }: ScheduleResult): string {
  return [
    ...violations,
    ...timeline,
    `replay: FAULT_SCENARIO=${scenario} FAULT_SEED=${seed} npm run test:all -- test/faults/replay`,
  ].join('\n');
}
