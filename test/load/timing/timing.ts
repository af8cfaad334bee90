import { type Finding, judged, logProgress } from '../findings.ts';
import type { LoadOptions } from '../options.ts';
import { PAIRS, type Pair } from './pairs.ts';
import { timeInProcesses } from './processes.ts';
import { describeSamples } from './statistics.ts';

/** Fewer would logProgress nothing about the slowest percent. */
const FEWEST_SAMPLES = 200;
/** For the work alone, over a store that answers at once: little noise, and no wait. */
const WORK_SAMPLES = 4_000;

/**
 * Times each pair through the real function, the real SDK and a store that answers as late as DynamoDB, and really waits
 * for the tick: 20,000 samples of both requests of a pair take about half an hour. Pairs that only differ in the cause
 * of the rejection get a tenth of the samples.
 */
export async function runTiming(options: LoadOptions): Promise<Finding[]> {
  const pairs = PAIRS.filter(({ name }) => name.includes(options.pairs));
  const waiting = [...pairs];
  const findings = new Map<Pair, Finding>();

  async function workOff(): Promise<void> {
    for (let pair = waiting.shift(); pair; pair = waiting.shift()) {
      const finding = await judge(pair, options);
      logProgress(`${pair.name}: ${finding.figures}`);
      findings.set(pair, finding);
    }
  }

  await Promise.all(Array.from({ length: options.environments }, workOff));
  return pairs.map((pair) => findings.get(pair) as Finding);
}

async function judge(pair: Pair, { samples, seed }: LoadOptions): Promise<Finding> {
  const count = Math.max(FEWEST_SAMPLES, Math.round(samples * pair.share));
  const order = { pair: pair.name, seed };
  const work = await timeInProcesses(0, { ...order, samples: WORK_SAMPLES, waits: false });
  const answers = await timeInProcesses(pair.slowness, { ...order, samples: count, waits: true });
  const { held, figures } = describeSamples(work, answers, { mayPassTick: pair.slowness > 1 });
  return judged(pair.name, held, `n = ${count.toLocaleString('en')} each; ${figures}`);
}
