import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  counterKey,
  counterName,
  EVENT_SLOTS_PER_MINUTE,
  eventItem,
  type RejectedSubmission,
  retainedUntil,
  UNATTRIBUTED_SHARDS,
  unattributedPartition,
} from '../core/diagnostics-items.ts';
import type { StoreContext } from './tables.ts';

/** Any slug has at most a few imported namesakes; more would only be work that a sender can ask for. */
const MOST_WORKSPACES = 8;

export interface Diagnostics {
  /** Never throws: gives the number of writes that were dropped. */
  record(rejected: RejectedSubmission, workspaceIds: readonly string[]): Promise<number>;
}

interface DiagnosticsContext extends StoreContext<'diagnostics'> {
  readonly random: () => number;
  /** One attempt, this long: the sender is waiting for an answer that will not change. */
  readonly recordingMilliseconds: number;
}

/**
 * A counter and an event slot for each rejection, written in parallel, always both. The slot is drawn by lot and
 * kept by whoever came first, so that a flood costs storage for 20 events a minute and no more.
 */
export function makeDiagnostics({
  client,
  tables,
  random,
  recordingMilliseconds,
}: DiagnosticsContext): Diagnostics {
  async function count(workspaceId: string, rejected: RejectedSubmission, signal: AbortSignal) {
    await client.send(
      new UpdateCommand({
        TableName: tables.diagnostics,
        Key: counterKey(workspaceId, rejected),
        UpdateExpression: `ADD ${counterName(rejected.atMilliseconds)} :one SET expiresAt = :expiresAt, v = :v`,
        ExpressionAttributeValues: {
          ':one': 1,
          ':expiresAt': retainedUntil(rejected.atMilliseconds),
          ':v': 1,
        },
      }),
      { abortSignal: signal },
    );
  }

  async function keepEvent(workspaceId: string, rejected: RejectedSubmission, signal: AbortSignal) {
    const slot = Math.floor(random() * EVENT_SLOTS_PER_MINUTE);
    try {
      await client.send(
        new PutCommand({
          TableName: tables.diagnostics,
          Item: eventItem(workspaceId, rejected, slot),
          ConditionExpression: 'attribute_not_exists(sk)',
        }),
        { abortSignal: signal },
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  async function record(rejected: RejectedSubmission, workspaceIds: readonly string[]): Promise<number> {
    const signal = AbortSignal.timeout(recordingMilliseconds);
    const shard = Math.floor(random() * UNATTRIBUTED_SHARDS);
    const owners = workspaceIds.length > 0 ? workspaceIds : [unattributedPartition(shard)];
    const writes = owners.slice(0, MOST_WORKSPACES).map((owner) => count(owner, rejected, signal));
    // An event of several workspaces would show each owner a request that was perhaps meant for another.
    if (owners.length === 1) writes.push(keepEvent(owners[0] as string, rejected, signal));
    const results = await Promise.allSettled(writes);
    return results.filter(({ status }) => status === 'rejected').length;
  }

  return { record };
}
