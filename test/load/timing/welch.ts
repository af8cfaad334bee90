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

/** Both without what is slower than this share of all of them together: one cut for both, so that it favours none. */
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
