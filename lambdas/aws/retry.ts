import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

const RETRYABLE_CODES = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

const RETRYABLE_NAMES = new Set(['TransactionConflictException', 'TransactionInProgressException']);

/** Another request held the item. The SDK does not retry these errors, and AWS sends no item with them. */
export function isConflict(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None');
    return codes.some((code) => RETRYABLE_CODES.has(code)) && !codes.includes('ConditionalCheckFailed');
  }
  return error instanceof Error && RETRYABLE_NAMES.has(error.name);
}

const THROTTLING_NAMES = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
]);

/** A throttled call did nothing, so it can be repeated until the deadline. The SDK gives up after three attempts. */
export async function retryThrottled<Answer>(
  send: () => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Error && THROTTLING_NAMES.has(error.name))) throw error;
      // At the deadline the log names the cause, not the wait.
      await pauseBeforeRetry(attempt, signal).catch(() => Promise.reject(error));
    }
  }
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 400;

/** Full jitter: duplicates that collided once must not collide in step again. Rejects when the deadline passes. */
export async function pauseBeforeRetry(attempt: number, signal: AbortSignal): Promise<void> {
  const ceiling = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  await sleep(1 + Math.random() * ceiling, undefined, { signal });
}
