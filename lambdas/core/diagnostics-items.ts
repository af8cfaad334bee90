import { isRateLimit, type Reason } from './reasons.ts';
import type { RejectionDetail } from './rejection.ts';
import { hourOf, minuteOf } from './stored-times.ts';
import type { Surface } from './surfaces.ts';

export const EVENT_SLOTS_PER_MINUTE = 20;
export const UNATTRIBUTED_SHARDS = 16;
/** Counters and events alike. */
export const RETENTION_SECONDS = 30 * 24 * 60 * 60;
const SCHEMA_VERSION = 1;

/** A rejection as Diagnostics keeps it. The source address is kept here and nowhere else. */
export interface RejectedSubmission {
  readonly atMilliseconds: number;
  readonly requestId: string;
  readonly surface: Surface;
  readonly formId?: string | undefined;
  readonly reason: Reason;
  readonly detail: RejectionDetail;
  readonly sourceAddress?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly bodyBytes: number;
  readonly bodySha256?: string | undefined;
  readonly keyNames?: readonly string[] | undefined;
}

/** Stands for the workspace where there is none, spread so that a flood of guesses makes no hot partition. */
export function unattributedPartition(shard: number): string {
  return `unattributed#${String(shard).padStart(2, '0')}`;
}

/**
 * One item for an hour, with a counter for each minute: a month is 720 items to read, not 43,200. Rate-limit
 * rejections have a prefix of their own, so that either kind is one query over a time range.
 */
export function counterKey(
  workspaceId: string,
  { surface, formId, reason, atMilliseconds }: RejectedSubmission,
) {
  const kind = isRateLimit(reason) ? 'limited' : 'rejected';
  return { workspaceId, sk: `${kind}#${hourOf(atMilliseconds)}#${surface}#${formId ?? '-'}#${reason}` };
}

/** The counter of a minute in its hour's item. */
export function counterName(atMilliseconds: number): string {
  return `m${new Date(atMilliseconds).toISOString().slice(14, 16)}`;
}

const COUNTER_NAME = /^m([0-5]\d)$/;

/** The counters in an item: at which minute of its hour, and how many. An event has none. */
export function countersOf(item: Readonly<Record<string, unknown>>): { minute: number; count: number }[] {
  return Object.entries(item).flatMap(([name, count]) => {
    const minute = COUNTER_NAME.exec(name)?.[1];
    return minute === undefined ? [] : { minute: Number(minute), count: Number(count) };
  });
}

export function eventItem(workspaceId: string, rejected: RejectedSubmission, slot: number) {
  const { atMilliseconds, ...rest } = rejected;
  return {
    ...rest,
    workspaceId,
    sk: `event#${minuteOf(atMilliseconds)}#${String(slot).padStart(2, '0')}`,
    at: new Date(atMilliseconds).toISOString(),
    expiresAt: retainedUntil(atMilliseconds),
    v: SCHEMA_VERSION,
  };
}

export function retainedUntil(atMilliseconds: number): number {
  return Math.floor(atMilliseconds / 1000) + RETENTION_SECONDS;
}
