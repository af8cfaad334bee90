import { setTimeout as sleep } from 'node:timers/promises';
import { UNATTRIBUTED_PARTITION } from '../../lambdas/rejections/diagnostics-items.ts';
import type { DiagnosticsReader } from '../../lambdas/rejections/diagnostics-store.ts';
import type { RejectionCount } from '../../lambdas/rejections/rejection-counts.ts';
import type { RejectionEvent } from '../../lambdas/rejections/rejection-record.ts';

export interface RejectionTotals {
  readonly rateLimited: { total: number; counts: readonly RejectionCount[] };
  readonly rejected: { total: number; counts: readonly RejectionCount[] };
  readonly reusedKeys: { total: number };
  readonly truncated: boolean;
}

/** The rejections of one workspace, or those that belong to no workspace. */
export interface RejectionSource {
  totals(sinceMilliseconds: number, untilMilliseconds: number, signal: AbortSignal): Promise<RejectionTotals>;
  /** Newest first. */
  events(sinceMilliseconds: number, limit: number, signal: AbortSignal): Promise<RejectionEvent[]>;
  /** All requests with this ID: clients can choose it. */
  lookUp(requestId: string, signal: AbortSignal): Promise<RejectionEvent[]>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function makeRejectionSource(
  reader: DiagnosticsReader,
  workspaceId: string | undefined,
): RejectionSource {
  const partition = workspaceId ?? UNATTRIBUTED_PARTITION;

  async function eventsSince(since: number, limit: number, signal: AbortSignal) {
    const found: RejectionEvent[] = [];
    let cursor: string | undefined;
    do {
      const page = await reader.events({ workspaceId: partition, limit, cursor }, signal);
      const recent = page.events.filter(({ at }) => Date.parse(at) >= since);
      found.push(...recent);
      cursor = recent.length === page.events.length ? page.cursor : undefined;
    } while (cursor !== undefined && found.length < limit);
    return found;
  }

  return {
    totals(from, to, signal) {
      const bucket = to - from > DAY_MS ? 'hour' : 'minute';
      return reader.summary({ workspaceId: partition, bucket, from, to }, signal);
    },

    async events(since, limit, signal) {
      return (await eventsSince(since, limit, signal)).slice(0, limit);
    },

    lookUp: (requestId, signal) => reader.lookUp(workspaceId, requestId, signal),
  };
}

const POLL_MS = 2_000;
/** Events are written shortly after their own time, by another machine's clock. */
const LOOK_BACK_MS = 2 * 60 * 1000;
/** More than the 20 per minute that are kept, in 16 shards. */
const MAX_AT_ONCE = 1_000;
/** A short outage or a laptop waking up must not end it. */
const MAX_FAILURES = 10;

/** Yields each new event once, oldest first, until the signal aborts. */
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
      const events = await source.events(since, MAX_AT_ONCE, signal);
      failures = 0;
      for (const event of events.reverse()) {
        const id = `${event.requestId} ${event.at}`;
        if (seen.has(id)) continue;
        seen.set(id, Date.parse(event.at));
        yield event;
      }
      // Based on the last poll, so that no event is missed after a pause of any length.
      since = Math.max(sinceMilliseconds, startedAt - LOOK_BACK_MS);
      for (const [id, at] of seen) if (at < since) seen.delete(id);
    } catch (error) {
      failures += 1;
      if (signal.aborted) return;
      if (failures === MAX_FAILURES) throw error;
    }
    await sleep(pollMilliseconds, undefined, { signal }).catch(() => undefined);
  }
}
