import { byteLevelPlan } from './byte-level.ts';
import { type CorpusEntry, fill } from './corpus.ts';
import { exchange, type Outcome } from './exchange.ts';
import { type Judge, makeJudge, type Verdict } from './judge.ts';
import { expected } from './model.ts';
import { makeRandom } from './random.ts';
import { type Reading, readAsServer } from './read-as-server.ts';
import { makeTally, type Tally } from './report.ts';
import { type Plan, structuredPlan } from './structured.ts';
import type { World } from './world.ts';

export interface FuzzSettings {
  readonly url: URL;
  readonly world: World;
  readonly corpus: readonly CorpusEntry[];
  readonly seed: number;
  readonly requests: number;
  readonly connections: number;
  /** Only the plan of this number. */
  readonly only?: number | undefined;
  readonly patienceMilliseconds?: number;
  readonly onFault: (failure: Failure) => void;
  /** Hears of each answer's request id, and of the plan that it belongs to. */
  readonly onAnswer?: (requestId: string, number: number) => void;
  readonly stopped?: () => boolean;
}

export interface Failure {
  readonly number: number;
  readonly plan: Plan;
  readonly faults: readonly string[];
  readonly outcome?: Outcome;
}

export interface FuzzResult {
  readonly tally: Tally;
  readonly judge: Judge;
}

/** Tries plan after plan, so many connections at a time, until enough requests have been sent. */
export async function fuzz(settings: FuzzSettings): Promise<FuzzResult> {
  const { requests, connections, only, stopped = () => false } = settings;
  const tally = makeTally();
  const judge = makeJudge(settings.world);
  let next = only ?? 0;

  async function work(): Promise<void> {
    while (tally.requests < requests && !stopped() && (only === undefined || next === only)) {
      const number = next++;
      const nowSeconds = Math.floor(Date.now() / 1000);
      const plan = await makePlan(settings, number, nowSeconds);
      const reading = await readAsServer(plan.delivery.bytes);
      const disagreement = disagreementOf(plan, reading, settings.world, nowSeconds);
      if (disagreement !== undefined) settings.onFault({ number, plan, faults: [disagreement] });
      await Promise.all(
        Array.from({ length: plan.copies }, () => tryOnce(number, plan, reading, nowSeconds)),
      );
    }
  }

  async function tryOnce(number: number, plan: Plan, reading: Reading, nowSeconds: number): Promise<void> {
    const due = judge.expect(reading, nowSeconds);
    const outcome = await exchange(settings.url, plan.delivery, reading, settings.patienceMilliseconds);
    const verdict: Verdict = judge.judge(plan.delivery, reading, due, outcome);
    tally.add(plan, Math.max(1, reading.requests.length), verdict, outcome.milliseconds);
    for (const { headers } of outcome.answers) {
      settings.onAnswer?.(headers.get('x-amzn-requestid') ?? '', number);
    }
    if (verdict.faults.length > 0) settings.onFault({ number, plan, faults: verdict.faults, outcome });
  }

  await Promise.all(Array.from({ length: only === undefined ? connections : 1 }, work));
  return { tally, judge };
}

/** First the corpus as it is; then each number by lot, and always the same by the same seed. */
export async function makePlan(
  { world, corpus, seed }: Pick<FuzzSettings, 'world' | 'corpus' | 'seed'>,
  number: number,
  nowSeconds: number,
): Promise<Plan> {
  const random = makeRandom(seed, number);
  const entry = corpus[number];
  if (entry !== undefined) {
    const bytes = await fill(entry.bytes, random, world, nowSeconds);
    return { mutator: 'corpus', kinds: ['as it is'], delivery: { bytes }, copies: 1 };
  }
  if (random.chance(0.5)) return structuredPlan(random, world, nowSeconds);
  const files = corpus.map(({ bytes }) => bytes);
  return byteLevelPlan(random, world, files, nowSeconds);
}

/** Mutation and model each say what must come of it. Where they differ, one of them is wrong, and so is the machine. */
export function disagreementOf(
  plan: Plan,
  reading: Reading,
  world: World,
  nowSeconds: number,
): string | undefined {
  const kinds = reading.requests.map((request) => expected(request, world, nowSeconds).kinds);
  const accepted = kinds.map((each) => each.length === 1 && each[0] === 'accepted');
  const agrees =
    plan.effect === 'harmless'
      ? accepted.length > 0 && accepted.every(Boolean)
      : plan.effect !== 'fatal' || accepted[0] !== true;
  return agrees
    ? undefined
    : `the mutation is ${plan.effect}, and the model expects ${JSON.stringify(kinds)}, then ${reading.rest}`;
}
