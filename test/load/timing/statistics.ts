import { TICK_MS } from '#submission/answer-on-tick.ts';
import type { Samples } from './timed-function.ts';

/** What a t beyond it says is no accident, as in tests of cryptographic code. */
export const T_LIMIT = 4.5;

/** Welch's t of two samples: how many standard errors their means are apart. */
export function welchT(left: Float64Array, right: Float64Array): number {
  const { apart, standardError } = compare(left, right);
  return standardError === 0 ? (apart === 0 ? 0 : Infinity) : apart / standardError;
}

/**
 * How many samples of each would show a difference, by a t of 4.5, at the least. The true difference is unknown: taken is
 * the largest that these samples leave possible, at 95 percent.
 */
export function samplesToSee(left: Float64Array, right: Float64Array): number {
  const { apart, standardError } = compare(left, right);
  const largest = Math.abs(apart) + 1.96 * standardError;
  return Math.min(left.length, right.length) * ((T_LIMIT * standardError) / largest) ** 2;
}

function compare(left: Float64Array, right: Float64Array): { apart: number; standardError: number } {
  const [a, b] = [moments(left), moments(right)];
  return {
    apart: a.mean - b.mean,
    standardError: Math.sqrt(a.variance / left.length + b.variance / right.length),
  };
}

function moments(sample: Float64Array): { mean: number; variance: number } {
  const mean = sample.reduce((sum, value) => sum + value, 0) / sample.length;
  const squares = sample.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (sample.length - 1) };
}

export function quantile(sample: Float64Array, share: number): number {
  const sorted = sample.toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Both noExceptions what is slower than this share of all of them together: one cut for both, so that it favours none. */
export function cropTogether(
  left: Float64Array,
  right: Float64Array,
  share: number,
): [Float64Array, Float64Array] {
  const pooled = new Float64Array(left.length + right.length);
  pooled.set(left);
  pooled.set(right, left.length);
  const cut = quantile(pooled, share);
  return [left.filter((value) => value <= cut), right.filter((value) => value <= cut)];
}

/** What took longer had something else in it: the collector, another process. */
const KEPT_SHARE = 0.9;

type Both = readonly [Samples, Samples];

/** Holds if the answers cannot be told apart, and the tick is longer than nearly all of the work. */
export function describeSamples(
  work: Both,
  [left, right]: Both,
  { mayPassTick }: { readonly mayPassTick: boolean },
): { readonly held: boolean; readonly figures: string } {
  const cropped = cropTogether(left.answered, right.answered, KEPT_SHARE);
  const [t, croppedT] = [welchT(left.answered, right.answered), welchT(...cropped)];
  const slowest = Math.max(quantile(left.natural, 0.99), quantile(right.natural, 0.99));
  const seen = Math.min(samplesToSee(left.answered, right.answered), samplesToSee(...cropped));
  const apart = differenceOf(work);
  return {
    held: Math.abs(t) < T_LIMIT && Math.abs(croppedT) < T_LIMIT && (mayPassTick || slowest < TICK_MS),
    figures: [
      `t = ${t.toFixed(2)}, noExceptions the slowest tenth ${croppedT.toFixed(2)}`,
      `a difference shows after more than ${rounded(seen)} samples by these, after ${rounded(samplesAtEdge(left, right, apart))} by the edge of the tick`,
      `answered ${spread(left.answered)} and ${spread(right.answered)}`,
      `natural ${spread(left.natural)} and ${spread(right.natural)}`,
      `after the first tick ${percent(shareOver(left.natural, TICK_MS))} and ${percent(shareOver(right.natural, TICK_MS))}`,
      `work alone ${(1_000 * apart).toFixed(0)} µs apart`,
    ].join('; '),
  };
}

function differenceOf([left, right]: Both): number {
  const [one, other] = cropTogether(left.natural, right.natural, KEPT_SHARE);
  return quantile(other, 0.5) - quantile(one, 0.5);
}

/**
 * Of the work that ends near a tick, the difference pushes a share past it, and that answer comes a tick later. So many
 * samples show that one of the two comes later more often.
 */
function samplesAtEdge(left: Samples, right: Samples, apart: number): number {
  const both = new Float64Array([...left.natural, ...right.natural]);
  const late = shareOver(both, TICK_MS);
  const perMillisecond = (shareOver(both, TICK_MS - 4) - shareOver(both, TICK_MS + 4)) / 8;
  return (2 * T_LIMIT ** 2 * late * (1 - late)) / (perMillisecond * apart) ** 2;
}

function shareOver(sample: Float64Array, limit: number): number {
  return sample.filter((each) => each > limit).length / sample.length;
}

const spread = (sample: Float64Array) =>
  `${quantile(sample, 0.5).toFixed(3)} ms (p99 ${quantile(sample, 0.99).toFixed(3)})`;
const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
const rounded = (count: number) => Number(count.toPrecision(2)).toLocaleString('en');
