/** A number from 0 up to 1, of which the seed decides every one. */
export type Random = () => number;

/** Mulberry32: small, quick, and good enough to choose by. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function choose<Item>(items: readonly Item[], random: Random): Item {
  if (items.length === 0) throw new Error('nothing to choose from');
  return items[Math.floor(random() * items.length)] as Item;
}
