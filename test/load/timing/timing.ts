import { type Finding, judged } from '../findings.ts';
import type { LoadOptions } from '../options.ts';
import { say } from '../say.ts';
import { type Random, seededRandom } from '../seeded-random.ts';
import { type Hesitation, type Invoke, openFunctions } from './function-boundary.ts';
import { PAIRS, type Pair } from './pairs.ts';
import { cropTogether, quantile, welchT } from './welch.ts';

const SAMPLES = 20_000;
const WARM_UP = 2_000;
const LIMIT = 4.5;
const MOST_TRIES = 3;
/** For the figures of the work alone. What took longer had something else in it: the collector, another process. */
const KEPT_SHARE = 0.9;

/**
 * Times each pair at the function's boundary: the work, and the wait that is drawn by lot before the answer. The wait
 * is added up rather than waited for, or this would take an hour.
 *
 * A machine that is busy may fool one measurement; a difference that is there shows again, and more clearly, with
 * twice the samples. So a pair fails only if it fails each time.
 */
export async function runTiming({ seed }: LoadOptions): Promise<Finding[]> {
  const hesitation = { milliseconds: 0 };
  const functions = openFunctions(hesitation);
  const random = seededRandom(seed);
  const findings: Finding[] = [];
  for (const pair of PAIRS) {
    const finding = await judge(pair, functions[pair.surface], hesitation, random);
    say(`${pair.name}: ${finding.figures}`);
    findings.push(finding);
  }
  return findings;
}

async function judge(pair: Pair, invoke: Invoke, hesitation: Hesitation, random: Random): Promise<Finding> {
  const seen: string[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const samples = SAMPLES * 2 ** (attempt - 1);
    const [left, right] = await measure(pair, invoke, hesitation, samples, random);
    const t = welchT(left.answered, right.answered);
    seen.push(t.toFixed(2));
    const held = Math.abs(t) < LIMIT;
    if (!held && attempt < MOST_TRIES) continue;
    const work = cropTogether(left.work, right.work, KEPT_SHARE);
    const apart = quantile(work[0], 0.5) - quantile(work[1], 0.5);
    const figures = [
      `t = ${seen.join(', then ')}`,
      `n = ${samples.toLocaleString('en')} each`,
      `work alone: medians ${microseconds(quantile(work[0], 0.5))} and ${microseconds(apart)} apart, t = ${welchT(...work).toFixed(2)}`,
    ];
    return judged(pair.name, held, figures.join('; '));
  }
}

function microseconds(nanoseconds: number): string {
  return `${(nanoseconds / 1000).toFixed(1)} µs`;
}

/** Nanoseconds of each sample. */
interface Samples {
  readonly work: Float64Array;
  /** With the wait before the answer: all that a sender can see. */
  readonly answered: Float64Array;
}

/** Each round times both, in an order drawn by lot: whatever else happens on the machine happens to both. */
async function measure(
  { left, right, before }: Pair,
  invoke: Invoke,
  hesitation: Hesitation,
  samples: number,
  random: Random,
): Promise<[Samples, Samples]> {
  const empty = (): Samples => ({ work: new Float64Array(samples), answered: new Float64Array(samples) });
  const taken: [Samples, Samples] = [empty(), empty()];

  async function time(event: Pair['left'], into: Samples, round: number): Promise<void> {
    if (before && (await invoke(before)).statusCode !== 202) throw new Error('what goes before is rejected');
    // Between samples, not within them, others get their turn: timers, and what the collector left to do.
    await new Promise(setImmediate);
    hesitation.milliseconds = 0;
    const startedAt = process.hrtime.bigint();
    const { statusCode } = await invoke(event);
    const took = Number(process.hrtime.bigint() - startedAt);
    if (statusCode !== 200) throw new Error('what is timed must be rejected');
    if (hesitation.milliseconds === 0) throw new Error('what is timed must hesitate');
    if (round < 0) return;
    into.work[round] = took;
    into.answered[round] = took + hesitation.milliseconds * 1_000_000;
  }

  for (let round = -WARM_UP; round < samples; round += 1) {
    const first = random() < 0.5 ? 0 : 1;
    for (const which of [first, 1 - first]) {
      await time(which === 0 ? left : right, taken[which] as Samples, round);
    }
  }
  return taken;
}
