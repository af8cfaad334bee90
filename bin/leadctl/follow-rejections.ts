import { setTimeout as sleep } from 'node:timers/promises';
import type { RejectionEvent } from '../../lambdas/rejections/rejection-events-store.ts';
import type { RejectionSource } from './rejection-source.ts';

const POLL_MS = 2_000;
/** An event is written a moment after its own time, by a clock that is not ours. */
const LOOK_BACK_MS = 2 * 60 * 1000;
/** More than the 20 a minute that are kept, in 16 shards. */
const MOST_AT_ONCE = 1_000;
/** A short outage, or a laptop that wakes up, is no reason to end. */
const MOST_FAILURES = 10;

/** Gives new events as they come, oldest first and each once, until the signal ends it. */
export async function* followRejections(
  source: RejectionSource,
  sinceMilliseconds: number,
  signal: AbortSignal,
  { pollMilliseconds = POLL_MS, now = Date.now } = {},
): AsyncGenerator<RejectionEvent> {
  const seen = new Map<string, number>();
  let since = sinceMilliseconds;
  let failures = 0;
  while (!signal.aborted) {
    const startedAt = now();
    try {
      const events = await source.events(since, MOST_AT_ONCE, signal);
      failures = 0;
      for (const event of events.reverse()) {
        const id = `${event.requestId} ${event.at}`;
        if (seen.has(id)) continue;
        seen.set(id, Date.parse(event.at));
        yield event;
      }
      // From where the last look was, so that nothing is missed after a pause of any length.
      since = Math.max(sinceMilliseconds, startedAt - LOOK_BACK_MS);
      for (const [id, at] of seen) if (at < since) seen.delete(id);
    } catch (error) {
      failures += 1;
      if (signal.aborted) return;
      if (failures === MOST_FAILURES) throw error;
    }
    await sleep(pollMilliseconds, undefined, { signal }).catch(() => undefined);
  }
}
