import { type Finding, judged } from '../findings.ts';
import type { LoadOptions } from '../options.ts';
import { say } from '../say.ts';
import { type Random, seededRandom } from '../seeded-random.ts';
import { type Invoke, openFunctions } from './function-boundary.ts';
import { PAIRS, type Pair } from './pairs.ts';
import { cropTogether, quantile, welchT } from './welch.ts';

const SAMPLES = 20_000;
const WARM_UP = 2_000;
/** What took longer had something else in it: the collector, another process. Less cropped, a busy machine hides all. */
const KEPT_SHARE = 0.9;
const LIMIT = 4.5;
/** Medians nearer than this tell nobody anything: an answer with an item in it costs more than one without. */
const UNTELLABLE_NANOSECONDS = 2_000;
const MOST_TRIES = 3;

/**
 * Times each pair at the function's boundary. A machine that is busy may fool one measurement; a difference that is
 * there shows again, and more clearly, with twice the samples. So a pair fails only if it fails each time.
 *
 * On a quiet machine t finds tenths of a microsecond. Those are named, and do not count as a failure.
 */
export async function runTiming({ seed }: LoadOptions): Promise<Finding[]> {
  const functions = openFunctions();
  const random = seededRandom(seed);
  const findings: Finding[] = [];
  for (const pair of PAIRS) {
    const finding = await judge(pair, functions[pair.surface], random);
    say(`${pair.name}: ${finding.figures}`);
    findings.push(finding);
  }
  return findings;
}

async function judge(pair: Pair, invoke: Invoke, random: Random): Promise<Finding> {
  const seen: string[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const samples = SAMPLES * 2 ** (attempt - 1);
    const [left, right] = cropTogether(...(await measure(pair, invoke, samples, random)), KEPT_SHARE);
    const t = welchT(left, right);
    const apart = quantile(left, 0.5) - quantile(right, 0.5);
    seen.push(t.toFixed(2));
    const alike = Math.abs(t) < LIMIT;
    const held = alike || Math.abs(apart) < UNTELLABLE_NANOSECONDS;
    if (!held && attempt < MOST_TRIES) continue;
    const figures = [
      `t = ${seen.join(', then ')}`,
      `medians ${microseconds(quantile(left, 0.5))} and ${microseconds(quantile(right, 0.5))}`,
      `n = ${samples.toLocaleString('en')} each`,
      ...(alike ? [] : [`${microseconds(apart)} apart`]),
    ];
    return judged(pair.name, held, figures.join('; '));
  }
}

function microseconds(nanoseconds: number): string {
  return `${(nanoseconds / 1000).toFixed(1)} µs`;
}

/** Each round times both, in an order drawn by lot: whatever else happens on the machine happens to both. */
async function measure(
  { left, right, before }: Pair,
  invoke: Invoke,
  samples: number,
  random: Random,
): Promise<[Float64Array, Float64Array]> {
  const taken: [Float64Array, Float64Array] = [new Float64Array(samples), new Float64Array(samples)];

  async function time(event: Pair['left']): Promise<number> {
    if (before && (await invoke(before)).statusCode !== 202) throw new Error('what goes before is rejected');
    // Between samples, not within them, others get their turn: timers, and what the collector left to do.
    await new Promise(setImmediate);
    const startedAt = process.hrtime.bigint();
    const { statusCode } = await invoke(event);
    const took = Number(process.hrtime.bigint() - startedAt);
    if (statusCode !== 200) throw new Error('what is timed must be rejected');
    return took;
  }

  for (let round = -WARM_UP; round < samples; round += 1) {
    const first = random() < 0.5 ? 0 : 1;
    for (const which of [first, 1 - first]) {
      const took = await time(which === 0 ? left : right);
      if (round >= 0) (taken[which] as Float64Array)[round] = took;
    }
  }
  return taken;
}
