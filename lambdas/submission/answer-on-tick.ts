import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from '@middy/core';
import type { Submission } from './submission.ts';

/** Above the 99th percentile of a rejection's time, so that nearly all are answered on the first tick. */
export const TICK_MS = 40;

/** Node's timers have a resolution of a millisecond and fire late: the rest is a busy wait. */
const SPIN_MS = 1.2;

/** In milliseconds with fractions, from an arbitrary zero. */
export interface TickClock {
  readonly now: () => number;
  readonly sleepUntil: (moment: number) => Promise<void>;
}

export const preciseClock: TickClock = {
  now: () => performance.now(),

  async sleepUntil(moment) {
    const milliseconds = Math.floor(moment - performance.now() - SPIN_MS);
    if (milliseconds > 0) await sleep(milliseconds);
    while (performance.now() < moment);
  },
};

/**
 * Holds back the answer to an unauthenticated request until 40 ms after it began, or the next multiple of that. A record
 * that exists takes some 100 µs longer to handle than none; on the tick, both are answered at the same time. It has to be
 * the last step: whatever ran after it could be timed.
 */
export function answerOnTick({ tickClock }: { readonly tickClock: TickClock }) {
  return async function answerOnTickAtEnd({ event }: Request): Promise<void> {
    const { credential, beganAt } = event as Submission;
    if (!credential) await tickClock.sleepUntil(beganAt + nextTick(tickClock.now() - beganAt));
  };
}

export function nextTick(elapsed: number): number {
  return Math.max(1, Math.ceil(elapsed / TICK_MS)) * TICK_MS;
}
