import { POINTS_PER_LOG_ODDS } from '../../scoring/score-lead.ts';

/** A verdict as numbers. */
export interface Example {
  readonly formId: string;
  readonly good: boolean;
  /** The points of the score without what was learned. */
  readonly base: number;
  /** Which words and signals it has, by their index. */
  readonly features: readonly number[];
}

/** How strongly points are pulled to zero. A word needs about this many verdicts to be worth anything. */
const SHRINK = 3;
/** What a verdict on another form counts, if the points are those of one form. */
const OTHER_FORM = 0.25;
const ROUNDS = 200;

/**
 * The points of each feature that explain best what the score got wrong: a logistic regression on top of the score,
 * without a constant. A feature speaks for the leads that have it more often; otherwise, what both have would serve as a
 * constant. By Nesterov's method, in a fixed order: the same verdicts give the same points.
 */
export function fitPoints(examples: readonly Example[], features: number, ownForm?: string): number[] {
  const weighted = weigh(examples, ownForm);
  const step = 1 / (steepest(weighted, features) / 4 + SHRINK);
  const sides = sidesOf(weighted, features);
  let values = new Float64Array(features);
  let ahead = values;
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(features);
    const slopes = slopesAt(weighted, ahead);
    for (let at = 0; at < features; at += 1) {
      const here = ahead[at] as number;
      const there = here - step * ((slopes[at] as number) + SHRINK * here);
      next[at] = there * (sides[at] as number) > 0 ? there : 0;
    }
    const momentum = round / (round + 3);
    ahead = next.map((value, at) => value + momentum * (value - (values[at] as number)));
    values = next;
  }
  return [...values].map((value) => value * POINTS_PER_LOG_ODDS);
}

type Weighted = Example & { readonly weight: number };

/**
 * Of each form, good leads and spam weigh the same, as much as the rarer of the two: 20 verdicts of one kind and 3 of
 * the other teach as little as 3 of each. Otherwise, what all leads of a form have in common would seem to be spam
 * because its owner reviews only spam.
 */
function weigh(examples: readonly Example[], ownForm: string | undefined): Weighted[] {
  const counts = new Map<string, { good: number; spam: number }>();
  for (const { formId, good } of examples) {
    const count = counts.get(formId) ?? { good: 0, spam: 0 };
    counts.set(formId, count);
    count[good ? 'good' : 'spam'] += 1;
  }
  return examples.flatMap((example) => {
    const { good, spam } = counts.get(example.formId) as { good: number; spam: number };
    const share = Math.min(good, spam) / (example.good ? good : spam);
    const weight = ownForm === undefined || example.formId === ownForm ? share : OTHER_FORM * share;
    return weight === 0 ? [] : [{ ...example, weight }];
  });
}

/** Positive for what good leads have more often than spam. */
function sidesOf(examples: readonly Weighted[], features: number): Float64Array {
  const sides = new Float64Array(features);
  for (const { good, weight, features } of examples) {
    for (const at of features) sides[at] = (sides[at] as number) + (good ? weight : -weight);
  }
  // Sums of thirds are not exact.
  return sides.map((side) => (Math.abs(side) < 1e-9 ? 0 : side));
}

/** No slope changes faster than this: the largest sum of a row of the matrix of second derivatives, times four. */
function steepest(examples: readonly Weighted[], features: number): number {
  const sums = new Float64Array(features);
  for (const { weight, features } of examples) {
    for (const at of features) sums[at] = (sums[at] as number) + weight * features.length;
  }
  return Math.max(0, ...sums);
}

function slopesAt(examples: readonly Weighted[], values: Float64Array): Float64Array {
  const slopes = new Float64Array(values.length);
  for (const { good, base, features, weight } of examples) {
    let logOdds = base / POINTS_PER_LOG_ODDS;
    for (const at of features) logOdds += values[at] as number;
    const error = weight * (1 / (1 + Math.exp(-logOdds)) - (good ? 1 : 0));
    for (const at of features) slopes[at] = (slopes[at] as number) + error;
  }
  return slopes;
}
