import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 400;

/** Full jitter: duplicates that collided once must not collide in step again. Rejects when the deadline passes. */
export async function pauseBeforeRetry(attempt: number, signal: AbortSignal): Promise<void> {
  const ceiling = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  await sleep(1 + Math.random() * ceiling, undefined, { signal });
}
