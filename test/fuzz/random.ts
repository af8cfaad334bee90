import { seededRandom } from '#bench/seeded-random.ts';

/** Random choices, repeatable by seed. */
export interface Random {
  /** An integer from 0 up to, but not including, the limit. */
  below(limit: number): number;
  /** An integer, both ends included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  bytes(length: number): Buffer;
  /** Letters and digits. */
  text(length: number): string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** One stream per request, so that a request doesn't depend on earlier answers. */
export function makeRandom(seed: number, stream: number): Random {
  const next = seededRandom(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35));
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => next() < probability,
    pick<Item>(items: readonly Item[]): Item {
      if (items.length === 0) throw new Error('Nothing to pick from.');
      return items[below(items.length)] as Item;
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
    text: (length) => Array.from({ length }, () => LETTERS[below(LETTERS.length)]).join(''),
  };
}
