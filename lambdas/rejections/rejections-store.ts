import type { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { retryThrottled, type StoreContext } from '../aws/dynamodb.ts';
import { putOnShortPath } from '../aws/short-path.ts';
import { type RejectedSubmission, type RejectionOwner, rejectionRecord } from './rejection-record.ts';

export interface Rejections {
  /** Never throws. Returns the number of records that were dropped. */
  record(rejected: RejectedSubmission, owner: RejectionOwner, signal: AbortSignal): Promise<0 | 1>;
}

interface RejectionsContext extends StoreContext<'rejections' | 'unauthenticatedRejections'> {
  /** One attempt: a flood of rejections must not hold anything up. */
  readonly recordingClient: DynamoDBDocumentClient;
  readonly random: () => number;
  readonly recordingMilliseconds: number;
}

/**
 * One unconditional write per rejection; the recorder derives Diagnostics from the tables' streams. Unauthenticated
 * requests have a table of their own, so that a flood of them cannot throttle the records of a workspace's own senders.
 */
export function makeRejections(context: RejectionsContext): Rejections {
  const { client, recordingClient, tables, random, recordingMilliseconds } = context;

  function writeUntil(deadline: AbortSignal, put: PutItemCommand) {
    // A deadline that has passed still leaves a moment to record that it did.
    const signal = deadline.aborted ? AbortSignal.timeout(recordingMilliseconds) : deadline;
    return retryThrottled(() => client.send(put, { abortSignal: signal }), signal);
  }

  return {
    async record(rejected, owner, signal) {
      const { authenticated } = owner;
      const put = putOnShortPath({
        TableName: authenticated ? tables.rejections : tables.unauthenticatedRejections,
        Item: rejectionRecord(rejected, owner, random().toString(36).slice(2, 12)),
      });
      const write = authenticated
        ? writeUntil(signal, put)
        : recordingClient.send(put, { abortSignal: AbortSignal.timeout(recordingMilliseconds) });
      return write.then(
        () => 0,
        () => 1,
      );
    },
  };
}
