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
  const features = new Map<number, Weight>();
  for (const [hash, scale] of scalesOf(counts, examples)) features.set(hash, newWeight(scale));
  const signals = new Map<string, SignalWeight>();
  const prepared = examples.map((example) => ({
    target: example.good ? 1 : 0,
    whole: textOf(example.features, features),
    parts: example.parts.map((part) => textOf(part, features)),
    signals: example.signals.map((name) => signalWeight(signals, name, expected[name])),
  }));
  const random = makeRandom(1);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(prepared, random);
    for (const each of prepared) {
      const whole = say(each.whole);
      const worst = worstOf(each.parts);
      const counts = worst !== undefined && worst.says < whole;
      let sum = counts ? withWorstPart(whole, worst.says) : whole;
      for (const { value } of each.signals) sum += value;
      const error = 1 / (1 + Math.exp(-sum)) - each.target;
      learn(each.whole, error * (counts ? 1 - WORST_PART : 1), SHRINK);
      if (counts) learn(worst.text, error * WORST_PART, 0);
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

interface Text {
  readonly weights: readonly Weight[];
  readonly root: number;
}

function textOf(hashes: readonly number[], features: ReadonlyMap<number, Weight>): Text {
  return {
    weights: hashes.flatMap((hash) => features.get(hash) ?? []),
    root: Math.sqrt(hashes.length + SHORT_TEXT),
  };
}

function say({ weights, root }: Text): number {
  let sum = 0;
  for (const { value, scale } of weights) sum += value * scale;
  return sum / root;
}

function worstOf(parts: readonly Text[]): { text: Text; says: number } | undefined {
  let worst: { text: Text; says: number } | undefined;
  for (const text of parts) {
    const says = say(text);
    if (worst === undefined || says < worst.says) worst = { text, says };
  }
  return worst;
}

function learn({ weights, root }: Text, error: number, shrink: number): void {
  for (const weight of weights) step(weight, (error * weight.scale) / root + shrink * weight.value);
}

interface Weight {
  value: number;
  /** The sum of squared gradients: the more was learned, the smaller the steps. */
  squares: number;
  readonly scale: number;
}

interface SignalWeight extends Weight {
  readonly expected: number;
  readonly shrink: number;
  readonly least: number;
  readonly most: number;
}

function newWeight(scale: number): Weight {
  return { value: 0, squares: 1e-3, scale };
}

function step(weight: Weight, gradient: number): void {
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
      squares: isFree ? 1e-3 : 1,
      scale: 1,
      expected: value,
      shrink: isFree ? 0 : SHRINK_SIGNALS,
      least,
      most,
    };
    signals.set(name, weight);
  }
  return weight;
}

interface Count {
  good: number;
  bad: number;
}

function countFeatures(examples: readonly Example[]): Map<number, Count> {
  const counts = new Map<number, Count>();
  for (const { good, features } of examples) {
    for (const hash of features) {
      const count = counts.get(hash) ?? { good: 0, bad: 0 };
      counts.set(hash, count);
      count[good ? 'good' : 'bad'] += 1;
    }
  }
  return counts;
}

function scalesOf(counts: ReadonlyMap<number, Count>, examples: readonly Example[]): Map<number, number> {
  const total = { good: counts.size, bad: counts.size };
  for (const { good, bad } of counts.values()) {
    total.good += good;
    total.bad += bad;
  }
  const scales = new Map<number, number>();
  for (const [hash, { good, bad }] of counts) {
    if (good + bad < SEEN_BY) continue;
    const uneven = Math.abs(Math.log((good + 1) / total.good / ((bad + 1) / total.bad)));
    const rare = Math.log((1 + examples.length) / (1 + good + bad)) + 1;
    scales.set(hash, (uneven + 0.2) * rare);
  }
  return scales;
}

/** Those that matter most: a large weight, and in many leads. */
function keepBest(
  weights: ReadonlyMap<number, Weight>,
  counts: ReadonlyMap<number, Count>,
): Map<number, number> {
  const ranked = [...weights].map(([hash, { value, scale }]) => {
    const { good = 0, bad = 0 } = counts.get(hash) ?? {};
    return { hash, value: value * scale, rank: Math.abs(value * scale) * Math.sqrt(good + bad) };
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
