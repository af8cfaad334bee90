import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  type LookupContext,
  MAX_MATCHES,
  MAX_REQUEST_ID_LENGTH,
  toEvent,
} from '../rejections/diagnostics-store.ts';
import { ownerOf, type RejectionEvent, type RejectionRecord } from '../rejections/rejection-record.ts';

export interface RejectedRequest extends RejectionEvent {
  /** None for an unknown token or slug, several for an ambiguous slug. */
  readonly workspaceIds: readonly string[];
}

/**
 * Every rejected request with this id, of whatever workspace: authenticated ones first, then newest first. Only for
 * operators. The request id is the key of both tables, so this is one query on each.
 */
export function makeRejectedRequests({ client, tables, now }: LookupContext) {
  async function query(table: string, requestId: string, signal: AbortSignal): Promise<RejectionRecord[]> {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'requestId = :requestId',
        // DynamoDB deletes expired items late.
        FilterExpression: 'expiresAt > :now',
        ExpressionAttributeValues: { ':requestId': requestId, ':now': Math.floor(now() / 1000) },
        ConsistentRead: true,
        Limit: MAX_MATCHES,
      }),
      { abortSignal: signal },
    );
    return (Items as RejectionRecord[]).sort((a, b) => b.at.localeCompare(a.at));
  }

  return async function find(requestId: string, signal: AbortSignal): Promise<RejectedRequest[]> {
    if (requestId === '' || requestId.length > MAX_REQUEST_ID_LENGTH) return [];
    const found = await Promise.all([
      query(tables.rejections, requestId, signal),
      query(tables.unauthenticatedRejections, requestId, signal),
    ]);
    return found.flat().map((record) => ({ ...toEvent(record), workspaceIds: workspacesOf(record) }));
  };
}

function workspacesOf(record: RejectionRecord): readonly string[] {
  const owner = ownerOf(record);
  return owner === undefined ? (record.sharedBy ?? []) : [owner];
}
