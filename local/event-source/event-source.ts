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
  /** Something may have filled a source: pollers need not wait any longer. */
  speedUp(): void;
  /** Called before each poll. Returns how to wait for the next one. */
  begin(): (signal: AbortSignal) => Promise<void>;
}

/** Lambda polls a shard four times per second, so that records arrive in few batches. */
const POLL_MILLISECONDS = 250;
/** For what was written past the functions, by leadctl for example. */
const UNASKED_MILLISECONDS = 500;
const SLOW_MILLISECONDS = 1_000;
const SLOW_AFTER_MILLISECONDS = 10_000;

/** Polls when a function has been invoked, and now and then without that: rarely when idle, to save CPU. */
export function makePace(now = () => performance.now()): Pace {
  const waiting = new Set<() => void>();
  let activeAt = now();
  return {
    speedUp() {
      activeAt = now();
      for (const wake of waiting) wake();
    },
    begin() {
      const begunAt = now();
      const until = (milliseconds: number) => Math.max(0, begunAt + milliseconds - now());
      return async (signal) => {
        const isSlow = begunAt - activeAt > SLOW_AFTER_MILLISECONDS;
        // Something may have happened since the poll began, which it has not seen.
        if (activeAt < begunAt) {
          await woken(until(isSlow ? SLOW_MILLISECONDS : UNASKED_MILLISECONDS), signal, waiting);
        }
        if (until(POLL_MILLISECONDS) > 0) await woken(until(POLL_MILLISECONDS), signal);
      };
    },
  };
}

/** Waits until somebody wakes it, or for so long. */
function woken(milliseconds: number, signal: AbortSignal, waiting = new Set<() => void>()): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      waiting.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    if (signal.aborted) return wake();
    signal.addEventListener('abort', wake);
    waiting.add(wake);
  });
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
