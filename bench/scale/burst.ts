import type { Surface } from '../../lambdas/model/limits.ts';
import { seededRandom } from '../seeded-random.ts';
import { AWS, Environments, newCapacity, type Timings } from './capacity.ts';
import {
  type End,
  type Process,
  type Submission,
  simulateSubmissions,
  Timeline,
} from './simulate-submission.ts';

export interface Burst {
  readonly workspaces: number;
  readonly surfaces: readonly Surface[];
  /** Per workspace and surface. */
  readonly submissions: number;
  readonly withinMilliseconds: number;
  readonly concurrency: number;
  /** Write units per second that each table takes. */
  readonly tableUnits: number;
  /** Warm environments per function at the start. */
  readonly warm: number;
  /** Whether senders retry, with the same key, until they get a 202. */
  readonly sendersRetry: boolean;
}

export interface BurstResult {
  /** How many submissions ended how, at their last try. */
  readonly ends: Readonly<Record<End, number>>;
  readonly peakConcurrency: number;
  readonly diagnosticsDropped: number;
  /** When the last 202 was sent. */
  readonly lastAcceptedAt: number;
}

/** After this many tries a sender gives up. */
const MAXIMUM_TRIES = 40;
const FIRST_WAIT_MILLISECONDS = 1_000;
const MAX_WAIT_MILLISECONDS = 30_000;

/** Simulates a burst, submission by submission, with the steps and retries of the real code. */
export function simulateBurst(burst: Burst, timings: Timings): BurstResult {
  const timeline = new Timeline();
  const random = seededRandom(1);
  const environments = new Environments(burst);
  const notes = { dropped: 0 };
  const submit = simulateSubmissions({
    timeline,
    random,
    environments,
    timings,
    notes,
    capacity: newCapacity(burst.tableUnits),
  });
  const ends: Record<End, number> = { accepted: 0, limited: 0, gateway: 0, lambda: 0, gate: 0, lead: 0 };
  let lastAcceptedAt = 0;

  function* send(submission: Submission): Process<void> {
    for (let tries = 1; ; tries += 1) {
      const end = yield* submit(submission);
      if (end === 'accepted') lastAcceptedAt = timeline.now;
      if (end === 'accepted' || !burst.sendersRetry || tries === MAXIMUM_TRIES) {
        ends[end] += 1;
        return;
      }
      yield Math.min(MAX_WAIT_MILLISECONDS, FIRST_WAIT_MILLISECONDS * 2 ** (tries - 1)) *
        (0.5 + random() / 2);
    }
  }

  for (let workspace = 0; workspace < burst.workspaces; workspace += 1) {
    for (const surface of burst.surfaces) {
      for (let each = 0; each < burst.submissions; each += 1) {
        timeline.start(send({ workspace, surface }), (each * burst.withinMilliseconds) / burst.submissions);
      }
    }
  }
  timeline.runToEnd();
  return { ends, peakConcurrency: environments.peak, diagnosticsDropped: notes.dropped, lastAcceptedAt };
}

const USUAL: Burst = {
  workspaces: 1,
  surfaces: ['1b'],
  submissions: 1_000,
  withinMilliseconds: 1_000,
  concurrency: AWS.lambda.concurrency,
  tableUnits: AWS.dynamodb.writeUnitsOfNewTable,
  warm: 0,
  sendersRetry: false,
};
const NEW_ACCOUNT = { concurrency: AWS.lambda.concurrencyOfNewAccount };
const BOTH = { surfaces: ['1a', '1b'] } as const;
const WARMED = { tableUnits: AWS.dynamodb.unitsOfTable };
const MANY = { ...USUAL, workspaces: 20, warm: 500 };

export const BURST_SCENARIOS: Readonly<Record<string, Burst>> = {
  '1,000 in a second, functions warm': { ...USUAL, warm: 100 },
  '1,000 in a second, all cold': USUAL,
  '1,000 at once, all cold': { ...USUAL, withinMilliseconds: 50 },
  '1,000 on each surface in a second, warm': { ...USUAL, ...BOTH, warm: 100 },
  '1,000 on each surface in a second, cold': { ...USUAL, ...BOTH },
  '5,000 on one surface in a second, warm': { ...USUAL, submissions: 5_000, warm: 100 },
  '1,000 in a second, new account': { ...USUAL, ...NEW_ACCOUNT },
  '20 workspaces, 1,000 each in the same second': MANY,
  'the same, tables warmed to 40,000 units': { ...MANY, ...WARMED },
  'the same, and concurrency raised to 5,000': { ...MANY, ...WARMED, concurrency: 5_000, warm: 1_000 },
};
