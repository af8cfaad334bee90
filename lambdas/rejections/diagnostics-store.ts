import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { readBackwards, type StoreContext } from '../aws/dynamodb.ts';
import { KEY_REUSED } from '../model/reasons.ts';
import { endOf, startOf, type TimeRange } from '../model/time-buckets.ts';
import { requireRange } from '../owner-api/time-range.ts';
import type { RejectionKind } from './diagnostics-items.ts';
import {
  hourKeys,
  hourOfKey,
  type RejectionCount,
  type RejectionCounts,
  type RejectionSummary,
  sumRejections,
} from './rejection-counts.ts';
import { makeRejectionEvents } from './rejection-events-store.ts';
import { type RejectionEvent, type RejectionRecord, recordPrefix, withoutNulls } from './rejection-record.ts';

export interface LookupContext extends StoreContext<'rejections' | 'unauthenticatedRejections'> {
  readonly now: () => number;
}

export const MAX_REQUEST_ID_LENGTH = 200;
/** A client can choose the request id, and send many requests with the same one. */
export const MAX_MATCHES = 50;

/**
 * Every request with this id that was rejected and belongs to the workspace, or to none: authenticated ones first, then
 * newest first. Read from the records themselves, so a request is found as soon as it has its response.
 */
export function makeRejectionLookup({ client, tables, now }: LookupContext) {
  async function query(table: string, requestId: string, prefix: string, signal: AbortSignal) {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'requestId = :requestId AND begins_with(sk, :prefix)',
        // DynamoDB deletes expired items late.
        FilterExpression: 'expiresAt > :now',
        ExpressionAttributeValues: {
          ':requestId': requestId,
          ':prefix': prefix,
          ':now': Math.floor(now() / 1000),
        },
        ConsistentRead: true,
        Limit: MAX_MATCHES,
      }),
      { abortSignal: signal },
    );
    return (Items as RejectionRecord[]).sort((a, b) => b.at.localeCompare(a.at));
  }

  return async function lookUp(
    workspaceId: string | undefined,
    requestId: string,
    signal: AbortSignal,
  ): Promise<RejectionEvent[]> {
    if (requestId === '' || requestId.length > MAX_REQUEST_ID_LENGTH) return [];
    const prefix = recordPrefix(workspaceId);
    const [authenticated, unauthenticated, shared] = await Promise.all([
      query(tables.rejections, requestId, prefix, signal),
      query(tables.unauthenticatedRejections, requestId, prefix, signal),
      workspaceId === undefined
        ? []
        : query(tables.unauthenticatedRejections, requestId, recordPrefix(undefined), signal),
    ]);
    const own = [...authenticated, ...unauthenticated].filter(({ sharedBy }) => !sharedBy).map(toEvent);
    const inCommon = shared.filter(({ sharedBy }) => sharedBy?.includes(workspaceId ?? ''));
    return [...own, ...inCommon.map(withoutSender)];
  };
}

/** An ambiguous slug: the request was perhaps meant for another workspace, so this owner does not see who sent it. */
function withoutSender(record: RejectionRecord): RejectionEvent {
  return toEvent({ ...record, sourceAddress: null, userAgent: null, bodySha256: null });
}

export function toEvent(record: RejectionRecord): RejectionEvent {
  const { sk: _sk, expiresAt: _expiresAt, v: _v, sharedBy: _sharedBy, ...facts } = record;
  return withoutNulls(facts);
}

export interface SummaryRequest extends TimeRange {
  readonly workspaceId: string;
  readonly bucket: 'minute' | 'hour';
}

interface SummaryContext extends StoreContext<'diagnostics'> {
  readonly now: () => number;
}

function only({ counts }: RejectionCounts, belongs: (count: RejectionCount) => boolean): RejectionCounts {
  const kept = counts.filter(belongs);
  return { total: kept.reduce((sum, { count }) => sum + count, 0), counts: kept };
}

interface Newest {
  readonly latestAt: string;
  readonly countedAt: string;
}

function newer(known: Newest | undefined, item: object | undefined) {
  const { latestAt, countedAt } = (item ?? {}) as Partial<Newest>;
  const isNewer = latestAt !== undefined && countedAt !== undefined && latestAt > (known?.latestAt ?? '');
  return isNewer ? { latestAt, countedAt } : known;
}

/** Limits the response, which may be 6 MB at most. */
const MAX_COUNTS = 20_000;

export function makeRejectionSummary({ client, tables, now }: SummaryContext) {
  async function countKind(
    kind: RejectionKind,
    { workspaceId, bucket, from, to }: SummaryRequest,
    signal: AbortSignal,
  ) {
    const sums = sumRejections(bucket, { from, to });
    let newest: Newest | undefined;
    const stoppedAt = await readBackwards(
      client,
      {
        table: tables.diagnostics,
        workspaceId,
        keys: hourKeys(kind, { from, to }),
        liveAtSeconds: Math.floor(now() / 1000),
      },
      (item) => {
        if (sums.size() >= MAX_COUNTS) return false;
        sums.add(item);
        newest = newer(newest, item);
        return true;
      },
      signal,
    );
    // Of the hour at which reading stopped, some counters may be missing.
    const completeFrom = stoppedAt && endOf(hourOfKey(stoppedAt), 'hour');
    return { counts: sums.result(), newest, completeFrom };
  }

  return async function summary(request: SummaryRequest, signal: AbortSignal): Promise<RejectionSummary> {
    const { bucket, from, to } = request;
    requireRange({ from, to }, bucket);
    const kinds = await Promise.all([
      countKind('limited', request, signal),
      countKind('rejected', request, signal),
    ]);
    const [limited, rejected] = kinds;
    const newest = kinds.reduce<Newest | undefined>((known, each) => newer(known, each.newest), undefined);
    const completeFrom = kinds
      .flatMap((each) => each.completeFrom ?? [])
      .sort()
      .at(-1);
    return {
      from: startOf(from, 'minute'),
      to: endOf(to - 1, 'minute'),
      rateLimited: limited.counts,
      rejected: only(rejected.counts, ({ reason }) => reason !== KEY_REUSED),
      reusedKeys: only(rejected.counts, ({ reason }) => reason === KEY_REUSED),
      newestAt: newest?.latestAt ?? null,
      newestCountedAt: newest?.countedAt ?? null,
      truncated: completeFrom !== undefined,
      completeFrom: completeFrom ?? startOf(from, 'minute'),
    };
  };
}

interface ReaderContext extends StoreContext<'diagnostics' | 'rejections' | 'unauthenticatedRejections'> {
  readonly now: () => number;
}

/** Uses only Query, so its function needs no other permission. */
export function makeDiagnosticsReader(context: ReaderContext) {
  return {
    /** Throws InvalidRange: by minute at most 24 hours, by hour at most 31 days. */
    summary: makeRejectionSummary(context),
    events: makeRejectionEvents(context),
    lookUp: makeRejectionLookup(context),
  };
}

export type DiagnosticsReader = ReturnType<typeof makeDiagnosticsReader>;
