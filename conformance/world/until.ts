import { setTimeout as sleep } from 'node:timers/promises';

/** Looks until there is something to see, or the time is up. What is awaited is asynchronous, or read from an index. */
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
