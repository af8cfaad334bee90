import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { INDEXES } from '../../contract.ts';
import { EVENT_SLOTS_PER_MINUTE, type RejectedSubmission } from '../../core/diagnostics-items.ts';
import { decodeEventCursor, encodeEventCursor } from '../../core/owner/cursor.ts';
import {
  minuteKeys,
  minuteOfKey,
  type RejectionCount,
  type RejectionKind,
  sumRejections,
} from '../../core/owner/rejection-counts.ts';
import { endOf, requireRange, startOf, type TimeRange } from '../../core/owner/time-buckets.ts';
import type { StoreContext } from '../tables.ts';
import { backwardsQuery, readBackwards, type SortedRange } from './read-backwards.ts';

export interface RejectionCounts {
  readonly total: number;
  /** Newest first; minutes and hours without rejections are not there. */
  readonly counts: readonly RejectionCount[];
}

export interface RejectionSummary {
  /** The range in whole minutes, as it was counted. */
  readonly from: string;
  readonly to: string;
  readonly rateLimited: RejectionCounts;
  readonly rejected: RejectionCounts;
  /** There was too much to count it all: before `completeFrom` some is missing. */
  readonly truncated: boolean;
  readonly completeFrom: string;
}

export interface RejectionEvent extends Omit<RejectedSubmission, 'atMilliseconds'> {
  readonly at: string;
}

export interface EventPage {
  readonly events: readonly RejectionEvent[];
  readonly cursor?: string;
}

/** `not_kept`: never seen, accepted, or rejected in a minute that had more rejections than are kept in detail. */
export type EventLookup =
  | { readonly event: RejectionEvent }
  | { readonly event: undefined; readonly why: 'not_kept' };

export interface DiagnosticsReader {
  /** Throws InvalidRange: by minute at most 24 hours, by hour at most 31 days. */
  summary(
    request: { readonly workspaceId: string; readonly bucket: 'minute' | 'hour' } & TimeRange,
    signal: AbortSignal,
  ): Promise<RejectionSummary>;
  /** Newest first, in whole minutes, so that a page may hold up to 19 more than asked for. Throws InvalidCursor. */
  events(
    request: { readonly workspaceId: string; readonly limit?: number; readonly cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<EventPage>;
  event(workspaceId: string, requestId: string, signal: AbortSignal): Promise<EventLookup>;
}

interface ReaderContext extends StoreContext<'diagnostics'> {
  readonly now: () => number;
}

/** Bounds the answer, which may be 6 MB at most. */
const MOST_COUNTS = 10_000;
const MOST_EVENTS = 100;
const LONGEST_REQUEST_ID = 200;

/** Reads Diagnostics by Query alone, so that its function needs no other permission. */
export function makeDiagnosticsReader({ client, tables, now }: ReaderContext): DiagnosticsReader {
  const liveAt = () => ({ table: tables.diagnostics, liveAtSeconds: Math.floor(now() / 1000) });

  const summary: DiagnosticsReader['summary'] = async ({ workspaceId, bucket, from, to }, signal) => {
    requireRange({ from, to }, bucket);
    const count = (kind: RejectionKind) => {
      const range = { ...liveAt(), workspaceId, keys: minuteKeys(kind, { from, to }) };
      return countRejections(client, range, bucket, signal);
    };
    const [limited, rejected] = await Promise.all([count('limited'), count('rejected')]);
    const completeFrom = [limited, rejected]
      .flatMap((each) => each.completeFrom ?? [])
      .sort()
      .at(-1);
    return {
      from: startOf(from, 'minute'),
      to: endOf(to - 1, 'minute'),
      rateLimited: limited.counts,
      rejected: rejected.counts,
      truncated: completeFrom !== undefined,
      completeFrom: completeFrom ?? startOf(from, 'minute'),
    };
  };

  const events: DiagnosticsReader['events'] = async (
    { workspaceId, limit = MOST_EVENTS, cursor },
    signal,
  ) => {
    // A clock ahead of ours by an hour must not hide the newest events.
    const to = cursor === undefined ? now() + 60 * 60 * 1000 : Date.parse(decodeEventCursor(cursor));
    if (Number.isNaN(to) || to < 1) return { events: [] };
    const wanted = Math.min(MOST_EVENTS, Math.max(1, Math.floor(limit)));
    const range = { ...liveAt(), workspaceId, keys: minuteKeys('event', { from: 0, to }) };
    const { Items = [], LastEvaluatedKey } = await client.send(
      // Slots of a minute are drawn by lot and so in no order: a minute is given whole, and put in order.
      new QueryCommand({ ...backwardsQuery(range), Limit: wanted + EVENT_SLOTS_PER_MINUTE }),
      { abortSignal: signal },
    );
    const lastMinute = minuteOfKey(String(Items[Math.min(wanted, Items.length) - 1]?.sk));
    const found = Items.filter(({ sk }, index) => index < wanted || minuteOfKey(String(sk)) === lastMinute);
    // Nothing live on a whole page means that all before it has expired too.
    const more = found.length > 0 && (LastEvaluatedKey !== undefined || found.length < Items.length);
    const newestFirst = found.map(toEvent).sort((a, b) => b.at.localeCompare(a.at));
    return { events: newestFirst, ...(more && { cursor: encodeEventCursor(lastMinute) }) };
  };

  const event: DiagnosticsReader['event'] = async (workspaceId, requestId, signal) => {
    const notKept = { event: undefined, why: 'not_kept' } as const;
    if (requestId === '' || requestId.length > LONGEST_REQUEST_ID) return notKept;
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: tables.diagnostics,
        // By the id that the sender sees in the response's headers. Sparse: only events have one.
        IndexName: INDEXES.eventsByRequest,
        KeyConditionExpression: 'requestId = :requestId',
        FilterExpression: 'workspaceId = :workspaceId AND expiresAt > :liveAt',
        ExpressionAttributeValues: {
          ...{ ':requestId': requestId, ':workspaceId': workspaceId },
          ':liveAt': liveAt().liveAtSeconds,
        },
      }),
      { abortSignal: signal },
    );
    return Items[0] ? { event: toEvent(Items[0]) } : notKept;
  };

  return { summary, events, event };
}

async function countRejections(
  client: DynamoDBDocumentClient,
  range: SortedRange,
  bucket: 'minute' | 'hour',
  signal: AbortSignal,
) {
  const sums = sumRejections(bucket);
  const take = ({ sk, rejections }: { sk: string; rejections?: unknown }) => {
    if (sums.size() >= MOST_COUNTS) return false;
    sums.add({ sk, rejections: Number(rejections) });
    return true;
  };
  const stoppedAt = await readBackwards(client, range, take, signal);
  // The minute at which reading stopped may be half counted.
  const completeFrom = stoppedAt && endOf(Date.parse(minuteOfKey(stoppedAt)), 'minute');
  return { counts: sums.result(), completeFrom };
}

function toEvent(item: Record<string, unknown>): RejectionEvent {
  const { workspaceId: _workspaceId, sk: _sk, expiresAt: _expiresAt, v: _v, ...event } = item;
  return event as unknown as RejectionEvent;
}
