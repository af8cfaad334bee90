import { seededRandom } from '#bench/seeded-random.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Random choices, for schedules, mutations and load: the same seed makes the same. */
export class SeededRandom {
  /** From 0 up to, but not including, 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed);
    // Adjacent seeds must not start with similar values.
    for (let i = 0; i < 8; i += 1) this.next();
  }

  /** One of many streams of a seed, so that one request doesn't depend on what another has drawn. */
  static stream(seed: number, stream: number): SeededRandom {
    return new SeededRandom(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35));
  }

  /** From 0 up to, but not including, the end. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** An integer, both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }

  /** Letters and digits. */
  text(length: number): string {
    return Array.from({ length }, () => LETTERS[this.below(LETTERS.length)]).join('');
  }

  /** A separate stream, so that values for one purpose don't shift those for another. */
  fork(): SeededRandom {
    return new SeededRandom(this.below(2 ** 32));
  }
}
