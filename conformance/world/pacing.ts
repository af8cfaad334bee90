import { setTimeout as sleep } from 'node:timers/promises';

/** Starts the work when its turn comes. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Everything at once. */
export const atOnce: InTurn = (work) => work();

/** At most `most` at the same time, first come, first served. */
export function makeTurns(most: number): InTurn {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Passed on directly to the first in the queue, so that a newcomer cannot take the turn.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** Looks until there is something, or the time is up. */
export async function until<Found>(
  look: () => Promise<Found | undefined>,
  { seconds, signal, pauseMilliseconds = 250 }: Patience,
): Promise<Found | undefined> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined || Date.now() >= end) return found;
    await sleep(pauseMilliseconds, undefined, { signal });
  }
}

export interface Patience {
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly pauseMilliseconds?: number;
}
