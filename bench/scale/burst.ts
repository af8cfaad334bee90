import type { Surface } from '../../lambdas/submission/limits.ts';
import { newCapacity } from './capacity.ts';
import { Environments } from './environments.ts';
import { seededRandom } from './seeded-random.ts';
import { type End, type Submission, submissionCourse } from './submission-course.ts';
import { type Course, Timeline } from './timeline.ts';
import type { Timings } from './timings.ts';

export interface Burst {
  readonly workspaces: number;
  readonly surfaces: readonly Surface[];
  /** Of each workspace, on each surface. */
  readonly submissions: number;
  readonly withinMilliseconds: number;
  readonly concurrency: number;
  /** Write units that each table takes at once. */
  readonly tableUnits: number;
  /** Environments of each function that have served before. */
  readonly warm: number;
  /** Whether a sender sends again, with the same key, what was not answered with 202. */
  readonly sendersRetry: boolean;
}

export interface BurstResult {
  /** How each submission ended, in the last of its tries. */
  readonly ends: Readonly<Record<End, number>>;
  readonly peakConcurrency: number;
  readonly diagnosticsDropped: number;
  /** When the last acceptance was answered. */
  readonly lastAcceptedAt: number;
}

/** A sender that has tried this often asks a person. */
const MOST_TRIES = 40;
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

/** One burst, submission by submission, through the same steps and retries as the code's. */
export function simulateBurst(burst: Burst, timings: Timings): BurstResult {
  const timeline = new Timeline();
  const random = seededRandom(1);
  const environments = new Environments(burst);
  const notes = { dropped: 0 };
  const submit = submissionCourse({
    ...{ timeline, random, environments, timings, notes },
    capacity: newCapacity(burst.tableUnits),
  });
  const ends: Record<End, number> = { accepted: 0, limited: 0, gateway: 0, lambda: 0, gate: 0, lead: 0 };
  let lastAcceptedAt = 0;

  function* send(submission: Submission): Course<void> {
    for (let tries = 1; ; tries += 1) {
      const end = yield* submit(submission);
      if (end === 'accepted') lastAcceptedAt = timeline.now;
      if (end === 'accepted' || !burst.sendersRetry || tries === MOST_TRIES) {
        ends[end] += 1;
        return;
      }
      yield Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (tries - 1)) * (0.5 + random() / 2);
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
