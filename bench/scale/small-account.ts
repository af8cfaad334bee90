import { seededRandom } from '../seeded-random.ts';
import { AWS, Environments, newCapacity, STACK, type Timings } from './capacity.ts';
import { type Process, type Submission, simulateSubmissions, Timeline } from './simulate-submission.ts';

/** As many that no workspace comes near its limits. */
const WORKSPACES = 100;
const SECONDS = 120;
/** The share of leads that may be throttled. */
const TOLERATED = 0.01;

/** The share of leads that Lambda throttles, if so many arrive per second at random times, while other work takes slots. */
export function throttledShare(leadsPerSecond: number, taken: number, timings: Timings): number {
  const timeline = new Timeline();
  const random = seededRandom(1);
  const { concurrencyOfNewAccount: concurrency } = AWS.lambda;
  const submit = simulateSubmissions({
    timeline,
    random,
    environments: new Environments({ concurrency, warm: concurrency, taken: Math.min(taken, concurrency) }),
    timings,
    notes: { dropped: 0 },
    capacity: newCapacity(AWS.dynamodb.writeUnitsOfNewTable),
  });
  const counts = { sent: 0, throttled: 0 };

  function* send(submission: Submission): Process<void> {
    counts.sent += 1;
    if ((yield* submit(submission)) === 'lambda') counts.throttled += 1;
  }

  /** Times between arrivals that do not depend on each other. */
  const gap = () => (-Math.log(1 - random()) * 1_000) / leadsPerSecond;
  for (let at = gap(), each = 0; at < SECONDS * 1_000; at += gap(), each += 1) {
    timeline.start(send({ workspace: each % WORKSPACES, surface: '1b' }), at);
  }
  timeline.runToEnd();
  return counts.throttled / counts.sent;
}

/** How many leads per second can be sent with fewer than one in a hundred throttled. A whole number. */
export function leadsThatGetIn(taken: number, timings: Timings): number {
  let [least, most] = [0, AWS.lambda.concurrencyOfNewAccount * AWS.lambda.requestsPerSecondPerConcurrency];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (throttledShare(middle, taken, timings) < TOLERATED) least = middle;
    else most = middle - 1;
  }
  return least;
}

/** How many leads per second the functions of a small account enrich and forward in turn: those in the slower lane. */
export function leadsWorkedOnInTurn({ enrichBatch, sendBatch }: Timings): number {
  const millisecondsPerLead = enrichBatch / STACK.enrichBatch + sendBatch / STACK.sendBatch;
  return (1_000 * STACK.inTurnSecondsPerMinute) / (60 * millisecondsPerLead);
}
