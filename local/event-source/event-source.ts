import { setTimeout as sleep } from 'node:timers/promises';
import type { Print } from '../function-log.ts';

/** Invokes the mapping's function. Rejects if the invocation fails. */
export type Invoke = (event: string) => Promise<string>;

export interface EventSourceSettings {
  readonly invoke: Invoke;
  readonly pace: Pace;
  readonly print: Print;
}

export interface EventSource {
  /** Stops reading. Resolves when running invocations have ended. */
  stop(): Promise<void>;
}

/** How long pollers wait when a source is empty. */
export interface Pace {
  /** Something may have filled a source: poll faster for a while. */
  speedUp(): void;
  /** Waits until the next poll, or until the stack stops. */
  rest(signal: AbortSignal): Promise<void>;
}

const BRISK_MILLISECONDS = 100;
const SLOW_MILLISECONDS = 500;
const SLOW_AFTER_MILLISECONDS = 10_000;

/** Fast after activity, slow when idle, to save CPU. */
export function makePace(): Pace {
  let activeAt = performance.now();
  return {
    speedUp() {
      activeAt = performance.now();
    },
    async rest(signal) {
      // In steps, so that activity ends a slow wait early.
      const until = performance.now() + SLOW_MILLISECONDS;
      do {
        await pause(BRISK_MILLISECONDS, signal);
        if (signal.aborted || performance.now() - activeAt < SLOW_AFTER_MILLISECONDS) return;
      } while (performance.now() < until);
    },
  };
}

/** Waits, or returns early when the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

const FIRST_MILLISECONDS = 200;
const MAX_MILLISECONDS = 5_000;

/** How long to wait after this many failures. */
export function backoffMilliseconds(failures: number): number {
  return Math.min(MAX_MILLISECONDS, FIRST_MILLISECONDS * 2 ** (failures - 1));
}

/** Printed because the function's own log would not show it. */
export function invalidResponseMessage(mapping: string): string {
  return `${mapping}: the function returned an invalid batch response, so the whole batch counts as failed`;
}
