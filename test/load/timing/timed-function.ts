/** A separate process, like a Lambda environment, that times one request after another at the function's boundary. */
import type { Context } from 'aws-lambda';
import { seededRandom } from '#bench/seeded-random.ts';
import { browserSubmissionDependencies, makeBrowserSubmission } from '#browser/browser-submission/handler.ts';
import { makeSourceSubmission, sourceSubmissionDependencies } from '#sources/source-submission/handler.ts';
import { ingestServerDependencies, makeIngestServer } from '#submission/ingest-server/handler.ts';
import { ingestWebhookDependencies, makeIngestWebhook } from '#submission/ingest-webhook/handler.ts';
import { preciseClock, type TickClock } from '#submission/respond-and-report.ts';
import { type GatewayEvent, PAIRS, type Pair } from './pairs.ts';

export interface Order {
  readonly pair: string;
  readonly samples: number;
  readonly seed: number;
  /** If false, only the natural time is measured. */
  readonly waits: boolean;
}

/** Milliseconds of each sample, from the call of the handler. */
export interface Samples {
  /** Until the work was done, before the wait. */
  readonly natural: Float64Array;
  /** Until the answer: what a sender can measure. */
  readonly responded: Float64Array;
}

const WARM_UP = 300;

let workDoneAt = 0;

function openFunction({ surface }: Pair, { waits }: Order) {
  // The deployed clock, which really waits, plus a note of the time.
  const tickClock: TickClock = {
    now: preciseClock.now,
    async sleepUntil(moment) {
      workDoneAt = performance.now();
      if (waits) await preciseClock.sleepUntil(moment);
    },
  };
  const handler = {
    '1a': () => makeIngestServer({ ...ingestServerDependencies(process.env), tickClock }),
    '1b': () => makeIngestWebhook({ ...ingestWebhookDependencies(process.env), tickClock }),
    '1c': () => makeSourceSubmission({ ...sourceSubmissionDependencies(process.env), tickClock }),
    '2': () => makeBrowserSubmission({ ...browserSubmissionDependencies(process.env), tickClock }),
  }[surface]();
  return (event: GatewayEvent) =>
    // The pipeline's first step replaces the event with a submission.
    handler(event as unknown as Parameters<typeof handler>[0], {} as Context);
}

/** Each round times both in random order, so that other load on the machine affects both. */
async function measure(pair: Pair, order: Order): Promise<[Samples, Samples]> {
  const { samples, seed } = order;
  const invoke = openFunction(pair, order);
  const random = seededRandom(seed);
  const empty = (): Samples => ({ natural: new Float64Array(samples), responded: new Float64Array(samples) });
  const taken: [Samples, Samples] = [empty(), empty()];

  async function time(make: Pair['left'], into: Samples, round: number): Promise<void> {
    const earlier = pair.before && (await invoke(pair.before(Date.now())));
    if (earlier && earlier.statusCode !== 202)
      throw new Error('The request before a sample was not accepted');
    const event = make(Date.now());
    // Lets timers and garbage collection run between samples, not within them.
    await new Promise(setImmediate);
    workDoneAt = 0;
    const startedAt = performance.now();
    const { statusCode } = await invoke(event);
    const answeredAt = performance.now();
    if (statusCode !== (pair.surface === '1c' ? 503 : 200) || workDoneAt === 0)
      throw new Error('The timed request was not rejected on a tick');
    if (round < 0) return;
    into.natural[round] = workDoneAt - startedAt;
    into.responded[round] = answeredAt - startedAt;
  }

  for (let round = -WARM_UP; round < samples; round += 1) {
    const first = random() < 0.5 ? 0 : 1;
    for (const which of [first, 1 - first] as const) {
      await time(which === 0 ? pair.left : pair.right, taken[which] as Samples, round);
    }
  }
  return taken;
}

process.on('message', (order: Order) => {
  const pair = PAIRS.find(({ name }) => name === order.pair);
  if (!pair) throw new Error(`No pair is named ${order.pair}`);
  measure(pair, order).then(
    (taken) => process.send?.(taken),
    (error: Error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
