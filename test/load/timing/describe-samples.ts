import { TICK_MS } from '../../../lambdas/middleware/answer-on-tick.ts';
import type { Samples } from './timed-function.ts';
import { cropTogether, quantile, samplesToSee, welchT } from './welch.ts';

const LIMIT = 4.5;
/** What took longer had something else in it: the collector, another process. */
const KEPT_SHARE = 0.9;

interface Described {
  readonly held: boolean;
  readonly figures: string;
}

/** Holds if the answers cannot be told apart, and the tick is longer than nearly all of the work. */
export function describeSamples(
  left: Samples,
  right: Samples,
  { mayPassTick }: { readonly mayPassTick: boolean },
): Described {
  const cropped = cropTogether(left.answered, right.answered, KEPT_SHARE);
  const [t, croppedT] = [welchT(left.answered, right.answered), welchT(...cropped)];
  const natural = cropTogether(left.natural, right.natural, KEPT_SHARE);
  const slowest = Math.max(quantile(left.natural, 0.99), quantile(right.natural, 0.99));
  const samples = Math.min(samplesToSee(left.answered, right.answered), samplesToSee(...cropped));
  return {
    held: Math.abs(t) < LIMIT && Math.abs(croppedT) < LIMIT && (mayPassTick || slowest < TICK_MS),
    figures: [
      `t = ${t.toFixed(2)}, without the slowest tenth ${croppedT.toFixed(2)}`,
      `to see a difference takes more than ${samples.toExponential(1)} samples`,
      `answered ${spread(left.answered)} and ${spread(right.answered)} ms`,
      `natural ${spread(left.natural)} and ${spread(right.natural)} ms, medians ${microseconds(quantile(natural[1], 0.5) - quantile(natural[0], 0.5))} apart, t = ${welchT(...natural).toFixed(2)}`,
      `after the first tick ${percent(left.natural)} and ${percent(right.natural)}`,
    ].join('; '),
  };
}

function spread(sample: Float64Array): string {
  return `p50 ${quantile(sample, 0.5).toFixed(3)} p99 ${quantile(sample, 0.99).toFixed(3)}`;
}

function percent(natural: Float64Array): string {
  return `${((100 * natural.filter((each) => each > TICK_MS).length) / natural.length).toFixed(2)} %`;
}

function microseconds(milliseconds: number): string {
  return `${(milliseconds * 1_000).toFixed(0)} µs`;
}
