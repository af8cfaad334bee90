import { UNATTRIBUTED_PARTITION } from '../../lambdas/rejections/diagnostics-items.ts';
import type { DiagnosticsReader } from '../../lambdas/rejections/diagnostics-store.ts';
import type { RejectionCount } from '../../lambdas/rejections/rejection-counts.ts';
import type { RejectionEvent } from '../../lambdas/rejections/rejection-events-store.ts';

export interface RejectionTotals {
  readonly rateLimited: { total: number; counts: readonly RejectionCount[] };
  readonly rejected: { total: number; counts: readonly RejectionCount[] };
  readonly reusedKeys: { total: number };
  readonly truncated: boolean;
}

/** The rejections of one workspace, or those that belong to none. */
export interface RejectionSource {
  totals(sinceMilliseconds: number, untilMilliseconds: number, signal: AbortSignal): Promise<RejectionTotals>;
  /** Newest first, not older than a moment. */
  events(sinceMilliseconds: number, limit: number, signal: AbortSignal): Promise<RejectionEvent[]>;
  /** All requests with this id. A client can choose it. */
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
