/** Choices by lot that a seed repeats. */
export interface Random {
  /** A whole number from 0 up to, and without, the limit. */
  below(limit: number): number;
  /** A whole number with both ends included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  bytes(length: number): Buffer;
  /** Of letters and digits. */
  text(length: number): string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Each request has a stream of its own, so that what it is does not depend on what was answered before it. */
export function makeRandom(seed: number, stream: number): Random {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35)) >>> 0;
  // mulberry32
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => next() < probability,
    pick<Item>(items: readonly Item[]): Item {
      if (items.length === 0) throw new Error('There is nothing to pick from.');
      return items[below(items.length)] as Item;
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
    text: (length) => Array.from({ length }, () => LETTERS[below(LETTERS.length)]).join(''),
  };
}
