import { SendMessageBatchCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { makeSocketPool } from '../aws/socket-pool.ts';

const TIMEOUT_MS = 2_000;

export function makeQueueClient(): SQSClient {
  return new SQSClient({ maxAttempts: 3, requestHandler: makeSocketPool()(TIMEOUT_MS) });
}

/** As many as SQS takes in one call. */
const BATCH = 10;

export interface EnrichmentQueue {
  /** Puts ids on the queue, never bodies. Returns the ids that SQS did not take. */
  send(leadIds: readonly string[]): Promise<Set<string>>;
}

export function makeEnrichmentQueue(client: SQSClient, queueUrl: string): EnrichmentQueue {
  async function sendBatch(leadIds: readonly string[]): Promise<string[]> {
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: leadIds.map((leadId, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify({ leadId }),
        })),
      }),
    );
    return Failed.map(({ Id }) => leadIds[Number(Id)] as string);
  }

  return {
    async send(leadIds) {
      const refused = new Set<string>();
      for (let from = 0; from < leadIds.length; from += BATCH) {
        const batch = leadIds.slice(from, from + BATCH);
        // One batch that fails says nothing of the others.
        const failed = await sendBatch(batch).catch(() => batch);
        for (const leadId of failed) refused.add(leadId);
      }
      return refused;
    },
  };
}

export interface MessageVisibility {
  /** The message comes back after so many seconds, rather than after the queue's whole visibility timeout. */
  comeBackIn(seconds: number, receiptHandle: string, signal: AbortSignal): Promise<void>;
}

/** The SDK is loaded at the first delay: most environments never see a failure. */
export function makeMessageVisibility(queueUrl: string, options: SQSClientConfig = {}): MessageVisibility {
  let client: SQSClient | undefined;

  return {
    async comeBackIn(seconds, receiptHandle, signal) {
      const sdk = await import('@aws-sdk/client-sqs');
      client ??= new sdk.SQSClient({
        maxAttempts: 2,
        requestHandler: { connectionTimeout: 500, requestTimeout: 1_500, throwOnRequestTimeout: true },
        ...options,
      });
      const command = new sdk.ChangeMessageVisibilityCommand({
        QueueUrl: queueUrl,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      });
      await client.send(command, { abortSignal: signal });
    },
  };
}
