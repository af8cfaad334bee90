import { SendMessageBatchCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { makeSocketPool } from './socket-pool.ts';

const TIMEOUT_MS = 2_000;

export function makeQueueClient(): SQSClient {
  return new SQSClient({ maxAttempts: 3, requestHandler: makeSocketPool()(TIMEOUT_MS) });
}

/** As many as SQS takes in one call. */
const BATCH = 10;

export interface Outbox<Content extends object> {
  /** Puts ids on the queue, never bodies. Returns the entries that SQS did not take. */
  send(entries: readonly Content[]): Promise<Set<Content>>;
}

export function makeOutbox<Content extends object>(client: SQSClient, queueUrl: string): Outbox<Content> {
  async function sendBatch(entries: readonly Content[]): Promise<Content[]> {
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: entries.map((entry, index) => ({ Id: String(index), MessageBody: JSON.stringify(entry) })),
      }),
    );
    return Failed.map(({ Id }) => entries[Number(Id)] as Content);
  }

  return {
    async send(entries) {
      const refused = new Set<Content>();
      for (let from = 0; from < entries.length; from += BATCH) {
        const batch = entries.slice(from, from + BATCH);
        // The other batches may succeed.
        const failed = await sendBatch(batch).catch(() => batch);
        for (const entry of failed) refused.add(entry);
      }
      return refused;
    },
  };
}

export interface MessageVisibility {
  /** The message comes back after this many seconds instead of the queue's full visibility timeout. */
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
