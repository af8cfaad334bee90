import { SeededRandom } from '../random.ts';
import { type CorpusEntry, fill } from './corpus.ts';
import { toBytes, validDraft } from './draft.ts';
import { exchange } from './exchange.ts';
import { type Judge, makeJudge, type Verdict } from './judge.ts';
import { type Api, expected, isAcceptance } from './model.ts';
import { byteLevelPlan, type Plan, structuredPlan } from './plans.ts';
import { type Reading, readAsServer } from './read-as-server.ts';
import { makeTally, type Tally } from './report.ts';
import { validSourceDraft } from './source-draft.ts';
import { sourcePlan } from './source-plans.ts';
import type { World } from './world.ts';

interface FuzzSettings {
  readonly urls: Readonly<Record<Api, URL>>;
  readonly world: World;
  readonly corpus: readonly CorpusEntry[];
  readonly seed: number;
  readonly requests: number;
  readonly connections: number;
  /** Run only the plan with this number. */
  readonly only?: number | undefined;
  readonly patienceMilliseconds?: number;
  readonly onFault: (failure: Failure) => void;
  /** Called with each response's request id and the number of its plan. */
  readonly onResponse?: (requestId: string, number: number) => void;
  readonly stopped?: () => boolean;
}

export interface Failure {
  readonly number: number;
  readonly faults: readonly string[];
  /** What was sent, where it is known. */
  readonly bytes?: Buffer;
}

export interface FuzzResult {
  readonly tally: Tally;
  readonly judge: Judge;
}

/** Runs plans on several connections at a time until enough requests have been sent. */
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
      const { bytes } = plan.delivery;
      const reading = await readAsServer(bytes);
      const disagreement = disagreementOf(plan, reading, settings.world, nowSeconds);
      if (disagreement !== undefined) settings.onFault({ number, faults: [disagreement], bytes });
      await Promise.all(
        Array.from({ length: plan.copies }, () => tryOnce(number, plan, reading, nowSeconds)),
      );
    }
  }

  async function tryOnce(number: number, plan: Plan, reading: Reading, nowSeconds: number): Promise<void> {
    const due = judge.expect(reading, nowSeconds, plan.delivery.api);
    const url = settings.urls[plan.delivery.api ?? 'ingest'];
    const outcome = await exchange(url, plan.delivery, reading, settings.patienceMilliseconds);
    const verdict: Verdict = judge.judge(plan.delivery, reading, due, outcome);
    tally.add(plan, Math.max(1, reading.requests.length), verdict, outcome.milliseconds);
    for (const { headers } of outcome.responses) {
      settings.onResponse?.(headers.get('x-amzn-requestid') ?? '', number);
    }
    if (verdict.faults.length > 0)
      settings.onFault({ number, faults: verdict.faults, bytes: plan.delivery.bytes });
  }

  await Promise.all(Array.from({ length: only === undefined ? connections : 1 }, work));
  return { tally, judge };
}

/** The share of requests to Surface 1c. */
const SOURCES = 0.25;
const SOURCES_STREAM = 0x1c;

/** First the corpus unchanged, then random plans. The same seed makes the same plans. */
export async function makePlan(
  { world, corpus, seed }: Pick<FuzzSettings, 'world' | 'corpus' | 'seed'>,
  number: number,
  nowSeconds: number,
): Promise<Plan> {
  const random = SeededRandom.stream(seed, number);
  const entry = corpus[number];
  if (entry !== undefined) {
    const bytes = await fill(entry.bytes, random, world, nowSeconds);
    return { mutator: 'corpus', kinds: ['unchanged'], delivery: { bytes }, copies: 1 };
  }
  // From a stream of its own: the other requests of a seed stay as they are.
  const ofSources = SeededRandom.stream(seed ^ SOURCES_STREAM, number);
  if (ofSources.chance(SOURCES)) return sourcePlan(ofSources, world, nowSeconds);
  if (random.chance(0.5)) return structuredPlan(random, world, nowSeconds);
  const files = corpus.map(({ bytes }) => bytes);
  return byteLevelPlan(random, world, files, nowSeconds);
}

/** The mutation and the model each predict the result. If they differ, the fuzzer itself has a bug. */
export function disagreementOf(
  plan: Plan,
  reading: Reading,
  world: World,
  nowSeconds: number,
): string | undefined {
  const kinds = reading.requests.map(
    (request) => expected(request, world, nowSeconds, plan.delivery.api).kinds,
  );
  const accepted = kinds.map((each) => each.length > 0 && each.every(isAcceptance));
  const agrees =
    plan.effect === 'harmless'
      ? accepted.length > 0 && accepted.every(Boolean)
      : plan.effect !== 'fatal' || accepted[0] !== true;
  return agrees
    ? undefined
    : `the mutation is ${plan.effect}, but the model expects ${JSON.stringify(kinds)}, then ${reading.rest}`;
}

const AT_ONCE = 16;
const WARM_UP_PATIENCE_MILLISECONDS = 60_000;

/** Makes the functions load their code, which is slow on a busy machine and not under test. */
export async function warmUp(urls: Readonly<Record<Api, URL>>, world: World): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, at) => {
        const random = SeededRandom.stream(round, at);
        const api: Api = at % 3 === 0 ? 'sources' : 'ingest';
        const make = { ingest: validDraft, sources: validSourceDraft }[api];
        const draft = make(random, world, Math.floor(Date.now() / 1000));
        // Authenticated, but not a lead.
        draft.body = Buffer.from('[]');
        const bytes = toBytes(draft, random);
        await exchange(urls[api], { bytes }, await readAsServer(bytes), WARM_UP_PATIENCE_MILLISECONDS);
      }),
    );
  }
}
