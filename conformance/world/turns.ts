/** Does the work when it is its turn. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Everything at once. */
export const atOnce: InTurn = (work) => work();

/** Never more than `most` at the same time, first come, first served. */
export function makeTurns(most: number): InTurn {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The turn goes straight to who waits longest: nobody who comes just now can take it.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
