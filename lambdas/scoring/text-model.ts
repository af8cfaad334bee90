import { FEATURE_BITS, TextFeatures, type TextSource } from './text-features.ts';

/** What the words of a lead say about it. */
export interface Reading {
  /** Negative if it reads like an offer. */
  readonly points: number;
  /** The words that say so most clearly. */
  readonly words: readonly string[];
}

/** The most that the text alone can say: it never decides against everything else. */
export const MAX_POINTS = 50;

/**
 * A sum is divided by the root of the number of features, so that a long text says no more than a short one that is as
 * clear, and a few words say little.
 */
export const SHORT_TEXT = 100;

/** How much the worst part of a longer message counts beside the whole: a friendly sentence does not hide an offer. */
export const WORST_PART = 0.5;

/** What the whole says and what its worst part says, as one. */
export function withWorstPart(whole: number, worst: number): number {
  return worst < whole ? (1 - WORST_PART) * whole + WORST_PART * worst : whole;
}

const MAX_WORDS = 3;
const MAX_WORD_LENGTH = 20;

/**
 * A linear model of how customers and unsolicited sellers write: a weight for each of some thousand features. Trained
 * by `npm run score:train`; read at first use.
 */
export class TextModel {
  readonly #read: () => Buffer;
  #model: { readonly weights: Int8Array; readonly unit: number } | undefined;

  constructor(read: () => Buffer) {
    this.#read = read;
  }

  read(source: TextSource): Reading {
    this.#model ??= unpackModel(this.#read());
    const { weights, unit } = this.#model;
    const features = new TextFeatures(source);
    // In the whole text, each feature counts once.
    const different = new Set(features.hashes);
    let sum = 0;
    for (const hash of different) sum += weights[hash] as number;
    const whole = (sum * unit) / Math.sqrt(different.size + SHORT_TEXT);
    const sums = sumsOfWords(features, weights);
    const points = Math.round(withWorstPart(whole, worstPart(features, sums) * unit));
    return {
      points: Math.min(MAX_POINTS, Math.max(-MAX_POINTS, points)),
      words: clearestWords(features, sums, Math.sign(points)),
    };
  }
}

function sumsOfWords({ hashes, words }: TextFeatures, weights: Int8Array): number[] {
  let at = 0;
  return words.map(({ end }) => {
    let sum = 0;
    for (; at < end; at += 1) sum += weights[hashes[at] as number] as number;
    return sum;
  });
}

/** What the worst part says. Nothing is worse than infinity: the message may be one part. */
function worstPart(features: TextFeatures, sums: readonly number[]): number {
  let worst = Number.POSITIVE_INFINITY;
  let [at, before] = [0, 0];
  for (const end of features.partEnds()) {
    let sum = 0;
    for (; at < end; at += 1) sum += sums[at] as number;
    const hashes = features.words[end - 1]?.end ?? 0;
    worst = Math.min(worst, sum / Math.sqrt(hashes - before + SHORT_TEXT));
    before = hashes;
  }
  return worst;
}

function clearestWords({ words }: TextFeatures, sums: readonly number[], sign: number): string[] {
  const said = new Map<string, number>();
  for (const [index, { text }] of words.entries()) {
    const sum = (sums[index] as number) * sign;
    if (sum > 0 && isWorthShowing(text)) said.set(text, Math.max(said.get(text) ?? 0, sum));
  }
  return [...said]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_WORDS)
    .map(([text]) => text);
}

/** Numbers and addresses could name a person. */
function isWorthShowing(word: string): boolean {
  return word.length <= MAX_WORD_LENGTH && !word.includes('0') && !word.includes('@');
}

/** What a step of a weight adds, in points; then how many there are, the gaps between sorted hashes, and the weights. */
const HEADER = 8;
/** The gap continues in the next byte. */
const MORE = 255;

/** @param weights in points, by hash */
export function packModel(weights: ReadonlyMap<number, number>): Buffer {
  const sorted = [...weights].sort(([one], [other]) => one - other);
  const unit = Math.max(...sorted.map(([, weight]) => Math.abs(weight))) / 63;
  const steps = sorted
    .map(([hash, weight]) => [hash, Math.round(weight / unit)] as const)
    .filter(([, step]) => step !== 0);
  const gaps: number[] = [];
  let before = 0;
  for (const [hash] of steps) {
    let gap = hash - before;
    for (; gap >= MORE; gap -= MORE) gaps.push(MORE);
    gaps.push(gap);
    before = hash;
  }
  const header = Buffer.alloc(HEADER);
  header.writeFloatBE(unit, 0);
  header.writeUInt32BE(steps.length, 4);
  return Buffer.concat([header, Buffer.from(gaps), Buffer.from(Int8Array.from(steps, ([, step]) => step))]);
}

export function unpackModel(packed: Buffer): { weights: Int8Array; unit: number } {
  const weights = new Int8Array(2 ** FEATURE_BITS);
  let step = packed.length - packed.readUInt32BE(4);
  let hash = 0;
  for (let at = HEADER; step < packed.length; at += 1) {
    const gap = packed[at] as number;
    hash += gap;
    if (gap === MORE) continue;
    weights[hash] = packed.readInt8(step);
    step += 1;
  }
  return { weights, unit: packed.readFloatBE(0) };
}
