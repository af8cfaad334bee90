import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type RejectionRecord, recordPrefix, withoutNulls } from '../../core/rejection-record.ts';
import type { StoreContext } from '../tables.ts';
import type { RejectionEvent } from './rejection-events.ts';

interface LookupContext extends StoreContext<'rejections' | 'unauthenticatedRejections'> {
  readonly now: () => number;
}

const LONGEST_REQUEST_ID = 200;
/** A client can choose the request id, and send many requests with the same one. */
const MOST_MATCHES = 50;

/**
 * Every request with this id that was rejected and belongs to the workspace, or to none: authenticated ones first, then
 * newest first. Read from the records themselves, so a request is found as soon as it is answered.
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
          ...{ ':requestId': requestId, ':prefix': prefix },
          ':now': Math.floor(now() / 1000),
        },
        ConsistentRead: true,
        Limit: MOST_MATCHES,
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
    if (requestId === '' || requestId.length > LONGEST_REQUEST_ID) return [];
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

function toEvent(record: RejectionRecord): RejectionEvent {
  const { sk: _sk, expiresAt: _expiresAt, v: _v, sharedBy: _sharedBy, ...facts } = record;
  return withoutNulls(facts);
}
