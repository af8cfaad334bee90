import { setTimeout as sleep } from 'node:timers/promises';
import type { Print } from '../function-log.ts';

/** Invokes the mapping's function; rejects where the invocation fails. */
export type Invoke = (event: string) => Promise<string>;

/** What every running mapping needs. */
export interface EventSourceSettings {
  readonly invoke: Invoke;
  readonly pace: Pace;
  readonly print: Print;
}

export interface EventSource {
  /** Takes nothing more; resolves when what was under way has come to its end. */
  stop(): Promise<void>;
}

/** How long pollers rest between two looks at a source that has nothing. */
export interface Pace {
  /** Something has happened that may have filled a source: look soon, for a while. */
  speedUp(): void;
  /** Rests; returns early when all ends. */
  rest(signal: AbortSignal): Promise<void>;
}

const BRISK_MILLISECONDS = 100;
const SLOW_MILLISECONDS = 500;
const SLOW_AFTER_MILLISECONDS = 10_000;

/** Brisk after something has happened, slow when nothing has for long: an idle stack should not warm the room. */
export function makePace(): Pace {
  let activeAt = performance.now();
  return {
    speedUp() {
      activeAt = performance.now();
    },
    async rest(signal) {
      // In steps, so that whoever rests slowly wakes when something happens.
      const until = performance.now() + SLOW_MILLISECONDS;
      do {
        await pause(BRISK_MILLISECONDS, signal);
        if (signal.aborted || performance.now() - activeAt < SLOW_AFTER_MILLISECONDS) return;
      } while (performance.now() < until);
    },
  };
}

/** Waits, or less than that when all ends. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

const FIRST_MILLISECONDS = 200;
const LONGEST_MILLISECONDS = 5_000;

/** How long to wait before the next attempt, after so many that have failed. */
export function backoffMilliseconds(failures: number): number {
  return Math.min(LONGEST_MILLISECONDS, FIRST_MILLISECONDS * 2 ** (failures - 1));
}

/** What came of a batch: all is done, nothing is, or all but some items. */
export type Outcome = 'done' | 'failed' | ReadonlySet<string>;

/**
 * Reads what a function says that reports failures item by item, as Lambda does: an answer that cannot be right, or
 * names an item that was not in the batch, fails the whole batch.
 */
export function readBatchResponse(payload: string, itemIds: ReadonlySet<string>): Outcome {
  const response = JSON.parse(payload) as { readonly batchItemFailures?: unknown } | null;
  const failures = response?.batchItemFailures;
  if (failures === undefined || failures === null) {
    // Nothing, or an object without the key: that is success. Text or a number is not an answer.
    return response === null || typeof response === 'object' ? 'done' : 'failed';
  }
  if (!Array.isArray(failures)) return 'failed';
  const ids = failures.map((failure) => (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier);
  if (!ids.every((id): id is string => typeof id === 'string' && itemIds.has(id))) return 'failed';
  return ids.length === 0 ? 'done' : new Set(ids);
}

/** For the engineer's eyes: nothing in the function's own log would tell. */
export function invalidResponseMessage(mapping: string): string {
  return `${mapping}: the function's answer is not one for this batch, so the whole batch counts as failed`;
}
