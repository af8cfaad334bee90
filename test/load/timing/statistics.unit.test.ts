import { expect, test } from '@jest/globals';
import { seededRandom } from '#bench/seeded-random.ts';
import { cropTogether, samplesToSee, welchT } from './statistics.ts';

const noise = (count: number, mean: number, seed: number) => {
  const random = seededRandom(seed);
  return Float64Array.from({ length: count }, () => mean + random());
};

/** Computed by hand: means 3 and 5, variances 2.5 and 10, five samples each. */
test("computes Welch's t", () => {
  const t = welchT(Float64Array.of(1, 2, 3, 4, 5), Float64Array.of(1, 3, 5, 7, 9));
  expect(t).toBeCloseTo(-2 / Math.sqrt(2.5 / 5 + 10 / 5), 10);
});

test('t grows with the number of samples only if there is a difference', () => {
  const few = welchT(noise(1_000, 0.03, 1), noise(1_000, 0, 2));
  const many = welchT(noise(100_000, 0.03, 1), noise(100_000, 0, 2));
  expect(many).toBeGreaterThan(4.5);
  expect(many).toBeGreaterThan(few);
  expect(Math.abs(welchT(noise(100_000, 0, 1), noise(100_000, 0, 2)))).toBeLessThan(4.5);
});

test('estimates how many samples show a difference', () => {
  // Uniform noise has a variance of 1/12: a difference of 0.1 takes 4.5² · 2/12 / 0.1² samples, a larger one fewer.
  const samples = samplesToSee(noise(100_000, 0.1, 1), noise(100_000, 0, 2));
  expect(samples).toBeGreaterThan(300);
  expect(samples).toBeLessThan(338);
});

test('crops both samples at the same value', () => {
  const [left, right] = cropTogether(Float64Array.of(1, 2, 3, 100), Float64Array.of(2, 3, 4, 5), 0.8);
  expect([...left]).toEqual([1, 2, 3]);
  expect([...right]).toEqual([2, 3, 4, 5]);
});
