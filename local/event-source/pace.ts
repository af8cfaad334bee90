import { setTimeout as sleep } from 'node:timers/promises';

/** How long pollers rest between two looks at a source that has nothing. */
export interface Pace {
  /** Something has happened that may have filled a source: look soon, for a while. */
  stir(): void;
  /** Rests; returns early when all ends. */
  rest(signal: AbortSignal): Promise<void>;
}

const BRISK_MILLISECONDS = 100;
const SLOW_MILLISECONDS = 500;
const SLOW_AFTER_MILLISECONDS = 10_000;

/** Brisk after something has happened, slow when nothing has for long: an idle stack should not warm the room. */
export function makePace(): Pace {
  let stirredAt = performance.now();
  return {
    stir() {
      stirredAt = performance.now();
    },
    async rest(signal) {
      // In steps, so that whoever rests slowly wakes when something happens.
      const until = performance.now() + SLOW_MILLISECONDS;
      do {
        await pause(BRISK_MILLISECONDS, signal);
        if (signal.aborted || performance.now() - stirredAt < SLOW_AFTER_MILLISECONDS) return;
      } while (performance.now() < until);
    },
  };
}

/** Waits, or less than that when all ends. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
