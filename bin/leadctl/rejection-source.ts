import { UNATTRIBUTED_SHARDS, unattributedPartition } from '../../lambdas/core/diagnostics-items.ts';
import type { RejectionCount } from '../../lambdas/core/owner/rejection-counts.ts';
import type { DiagnosticsReader } from '../../lambdas/stores/owner/diagnostics-reader.ts';
import type { RejectionEvent } from '../../lambdas/stores/owner/rejection-events.ts';

export interface RejectionTotals {
  readonly rateLimited: { total: number; counts: readonly RejectionCount[] };
  readonly rejected: { total: number; counts: readonly RejectionCount[] };
  readonly truncated: boolean;
}

/** The rejections of one workspace, or of the 16 shards that stand for none: the same to whoever looks at them. */
export interface RejectionSource {
  totals(sinceMilliseconds: number, untilMilliseconds: number, signal: AbortSignal): Promise<RejectionTotals>;
  /** Newest first, not older than a moment. */
  events(sinceMilliseconds: number, limit: number, signal: AbortSignal): Promise<RejectionEvent[]>;
  event(requestId: string, signal: AbortSignal): Promise<RejectionEvent | undefined>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function makeRejectionSource(
  reader: DiagnosticsReader,
  workspaceId: string | undefined,
): RejectionSource {
  const partitions =
    workspaceId === undefined
      ? Array.from({ length: UNATTRIBUTED_SHARDS }, (_, shard) => unattributedPartition(shard))
      : [workspaceId];

  async function eventsOf(partition: string, since: number, limit: number, signal: AbortSignal) {
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
    async totals(from, to, signal) {
      const bucket = to - from > DAY_MS ? 'hour' : 'minute';
      const summaries = await Promise.all(
        partitions.map((partition) => reader.summary({ workspaceId: partition, bucket, from, to }, signal)),
      );
      const add = (kind: 'rateLimited' | 'rejected') => ({
        total: summaries.reduce((sum, each) => sum + each[kind].total, 0),
        counts: summaries.flatMap((each) => each[kind].counts),
      });
      return {
        rateLimited: add('rateLimited'),
        rejected: add('rejected'),
        truncated: summaries.some(({ truncated }) => truncated),
      };
    },

    async events(since, limit, signal) {
      const found = await Promise.all(
        partitions.map((partition) => eventsOf(partition, since, limit, signal)),
      );
      return found
        .flat()
        .sort((a, b) => b.at.localeCompare(a.at))
        .slice(0, limit);
    },

    async event(requestId, signal) {
      const found = await Promise.all(partitions.map((each) => reader.event(each, requestId, signal)));
      return found.find(({ event }) => event)?.event;
    },
  };
}
