import { TICK_MS } from '#submission/respond-and-report.ts';
import type { Samples } from './timed-function.ts';

/** A larger t is significant, as in timing tests of cryptographic code. */
const T_LIMIT = 4.5;

/** Welch's t of two samples: how many standard errors their means are apart. */
export function welchT(left: Float64Array, right: Float64Array): number {
  const { apart, standardError } = compare(left, right);
  return standardError === 0 ? (apart === 0 ? 0 : Infinity) : apart / standardError;
}

/**
 * The minimum number of samples of each that would show a difference, with a t of 4.5. The true difference is unknown, so
 * this uses the upper bound of its 95 percent confidence interval.
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

/** Crops both samples at one quantile of all values together, so that the crop favours neither. */
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

/** Slower samples include other work: garbage collection, another process. */
const KEPT_SHARE = 0.9;

type Both = readonly [Samples, Samples];

/** Holds if the answers are indistinguishable, and the tick is longer than nearly all of the work. */
export function describeSamples(
  work: Both,
  [left, right]: Both,
  { mayPassTick }: { readonly mayPassTick: boolean },
): { readonly held: boolean; readonly figures: string } {
  const cropped = cropTogether(left.responded, right.responded, KEPT_SHARE);
  const [t, croppedT] = [welchT(left.responded, right.responded), welchT(...cropped)];
  const slowest = Math.max(quantile(left.natural, 0.99), quantile(right.natural, 0.99));
  const seen = Math.min(samplesToSee(left.responded, right.responded), samplesToSee(...cropped));
  const apart = differenceOf(work);
  return {
    held: Math.abs(t) < T_LIMIT && Math.abs(croppedT) < T_LIMIT && (mayPassTick || slowest < TICK_MS),
    figures: [
      `t = ${t.toFixed(2)}, without the slowest tenth ${croppedT.toFixed(2)}`,
      `these samples show a difference after more than ${rounded(seen)}, the edge of the tick after ${rounded(samplesAtEdge(left, right, apart))}`,
      `answered ${spread(left.responded)} and ${spread(right.responded)}`,
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
 * The difference moves some of the work near a tick past it, and those answers come one tick later. This many samples
 * show that one of the two is late more often.
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
