import { FEATURE_BITS } from '#scoring/text-features.ts';
import { SHORT_TEXT, WORST_PART, withWorstPart } from '#scoring/text-model.ts';

/** One lead as the training sees it. */
export interface Example {
  readonly good: boolean;
  /** Hashes of its text features, each once. */
  readonly features: readonly number[];
  /** Those of each part of a longer message. */
  readonly parts: readonly (readonly number[])[];
  /** Names of what the rules found. */
  readonly signals: readonly string[];
}

/** What a signal is thought to be worth before any lead was seen, in log-odds. It never changes its sign. */
export type Expected = Readonly<Record<string, number | 'anything'>>;

export interface Model {
  readonly features: ReadonlyMap<number, number>;
  readonly signals: ReadonlyMap<string, number>;
}

/** The log-odds that a lead is good. */
export function logOddsOf(model: Model, { features, parts, signals }: Example): number {
  const say = (hashes: readonly number[]) => {
    let text = 0;
    for (const hash of hashes) text += model.features.get(hash) ?? 0;
    return text / Math.sqrt(hashes.length + SHORT_TEXT);
  };
  let sum = withWorstPart(say(features), Math.min(...parts.map(say)));
  for (const signal of signals) sum += model.signals.get(signal) ?? 0;
  return sum;
}

const EPOCHS = 12;
const RATE = 0.1;
/** How strongly weights are pulled to zero, and those of signals to what is expected. */
const SHRINK = 1e-4;
const SHRINK_SIGNALS = 1e-2;
const HASHES = 2 ** FEATURE_BITS;
/** How many features are kept. */
const KEPT = 19_000;
/** What only one or two leads have says nothing about others. */
const SEEN_BY = 3;

/**
 * Logistic regression by AdaGrad. Features count by how unevenly they occur in good and bad leads (as in Wang and
 * Manning's NB-SVM) and by how rare they are. All in a fixed order: the same leads make the same model.
 */
export function trainModel(examples: readonly Example[], expected: Expected): Model {
  const counts = countFeatures(examples);
  const features = makeFeatures(counts, examples.length);
  const signals = new Map<string, SignalWeight>();
  const prepared = examples.map((example) => ({
    target: example.good ? 1 : 0,
    whole: textOf(example.features, features),
    parts: example.parts.map((part) => textOf(part, features)),
    signals: example.signals.map((name) => signalWeight(signals, name, expected[name])),
  }));
  const { weights } = features;
  const random = makeRandom(1);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(prepared, random);
    for (const each of prepared) {
      const whole = say(each.whole, weights);
      const worst = worstOf(each.parts, weights);
      const counts = worst !== undefined && worst.says < whole;
      let sum = counts ? withWorstPart(whole, worst.says) : whole;
      for (const { value } of each.signals) sum += value;
      const error = 1 / (1 + Math.exp(-sum)) - each.target;
      learn(each.whole, weights, error * (counts ? 1 - WORST_PART : 1), SHRINK);
      if (counts) learn(worst.text, weights, error * WORST_PART, 0);
      for (const weight of each.signals) {
        step(weight, error + weight.shrink * (weight.value - weight.expected));
        weight.value = Math.min(weight.most, Math.max(weight.least, weight.value));
      }
    }
  }
  return {
    features: keepBest(features, counts),
    signals: new Map([...signals].map(([name, { value }]) => [name, value])),
  };
}

/** The weights of all features side by side: as objects all over the memory, they took twice as long to train. */
interface Features {
  /** For each feature its value, the sum of its squared gradients (the larger, the smaller the steps) and its scale. */
  readonly weights: Float64Array;
  /** Where the weight of a hash is, or -1. */
  readonly placeOf: Int32Array;
}

const SQUARES = 1;
const SCALE = 2;
const NUMBERS_PER_FEATURE = 3;
const FIRST_SQUARES = 1e-3;

function makeFeatures(counts: Counts, examples: number): Features {
  const scales = scalesOf(counts, examples);
  const weights = new Float64Array(scales.size * NUMBERS_PER_FEATURE);
  const placeOf = new Int32Array(HASHES).fill(-1);
  let place = 0;
  for (const [hash, scale] of scales) {
    placeOf[hash] = place;
    weights[place + SQUARES] = FIRST_SQUARES;
    weights[place + SCALE] = scale;
    place += NUMBERS_PER_FEATURE;
  }
  return { weights, placeOf };
}

interface Text {
  /** Of the weights of its features. */
  readonly places: Int32Array;
  readonly root: number;
}

function textOf(hashes: readonly number[], { placeOf }: Features): Text {
  const places = new Int32Array(hashes.length);
  let known = 0;
  for (const hash of hashes) {
    const place = placeOf[hash] as number;
    if (place >= 0) places[known++] = place;
  }
  return { places: places.subarray(0, known), root: Math.sqrt(hashes.length + SHORT_TEXT) };
}

function say({ places, root }: Text, weights: Float64Array): number {
  let sum = 0;
  for (const place of places) sum += (weights[place] as number) * (weights[place + SCALE] as number);
  return sum / root;
}

function worstOf(
  parts: readonly Text[],
  weights: Float64Array,
): { readonly text: Text; readonly says: number } | undefined {
  let worst: { text: Text; says: number } | undefined;
  for (const text of parts) {
    const says = say(text, weights);
    if (worst === undefined || says < worst.says) worst = { text, says };
  }
  return worst;
}

function learn({ places, root }: Text, weights: Float64Array, error: number, shrink: number): void {
  for (const place of places) {
    const value = weights[place] as number;
    const gradient = (error * (weights[place + SCALE] as number)) / root + shrink * value;
    const squares = (weights[place + SQUARES] as number) + gradient * gradient;
    weights[place + SQUARES] = squares;
    weights[place] = value - (RATE * gradient) / Math.sqrt(squares);
  }
}

interface SignalWeight {
  value: number;
  squares: number;
  readonly expected: number;
  readonly shrink: number;
  readonly least: number;
  readonly most: number;
}

function step(weight: SignalWeight, gradient: number): void {
  weight.squares += gradient * gradient;
  weight.value -= (RATE * gradient) / Math.sqrt(weight.squares);
}

function signalWeight(
  signals: Map<string, SignalWeight>,
  name: string,
  expected: number | 'anything' = 'anything',
): SignalWeight {
  let weight = signals.get(name);
  if (!weight) {
    const value = expected === 'anything' ? 0 : expected;
    const least = expected === 'anything' || value < 0 ? Number.NEGATIVE_INFINITY : 0;
    const most = expected === 'anything' || value > 0 ? Number.POSITIVE_INFINITY : 0;
    const isFree = expected === 'anything';
    weight = {
      value,
      // A large sum to begin with: a signal that few leads have stays near what is expected.
      squares: isFree ? FIRST_SQUARES : 1,
      expected: value,
      shrink: isFree ? 0 : SHRINK_SIGNALS,
      least,
      most,
    };
    signals.set(name, weight);
  }
  return weight;
}

/** By hash, in how many leads a feature is. */
interface Counts {
  readonly good: Int32Array;
  readonly bad: Int32Array;
}

function countFeatures(examples: readonly Example[]): Counts {
  const counts = { good: new Int32Array(HASHES), bad: new Int32Array(HASHES) };
  for (const { good, features } of examples) {
    const own = good ? counts.good : counts.bad;
    for (const hash of features) own[hash] = (own[hash] as number) + 1;
  }
  return counts;
}

function scalesOf({ good, bad }: Counts, examples: number): Map<number, number> {
  const seen = good.reduce((sum, count, hash) => sum + (count > 0 || (bad[hash] as number) > 0 ? 1 : 0), 0);
  const add = (sum: number, count: number) => sum + count;
  const total = { good: good.reduce(add, seen), bad: bad.reduce(add, seen) };
  const scales = new Map<number, number>();
  for (const [hash, inGood] of good.entries()) {
    const inBad = bad[hash] as number;
    if (inGood + inBad < SEEN_BY) continue;
    const uneven = Math.abs(Math.log((inGood + 1) / total.good / ((inBad + 1) / total.bad)));
    const rare = Math.log((1 + examples) / (1 + inGood + inBad)) + 1;
    scales.set(hash, (uneven + 0.2) * rare);
  }
  return scales;
}

/** Those that matter most: a large weight, and in many leads. */
function keepBest({ weights, placeOf }: Features, { good, bad }: Counts): Map<number, number> {
  const ranked = [...placeOf.entries()].flatMap(([hash, place]) => {
    if (place < 0) return [];
    const value = (weights[place] as number) * (weights[place + SCALE] as number);
    const leads = (good[hash] as number) + (bad[hash] as number);
    return { hash, value, rank: Math.abs(value) * Math.sqrt(leads) };
  });
  ranked.sort((one, other) => other.rank - one.rank || one.hash - other.hash);
  return new Map(ranked.slice(0, KEPT).map(({ hash, value }) => [hash, value]));
}

/** Numerical Recipes' generator: good enough for an order, and the same everywhere. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffle(items: unknown[], random: () => number): void {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [items[at], items[other]] = [items[other], items[at]];
  }
}
