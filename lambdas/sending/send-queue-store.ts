import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SendTask } from './message.ts';

export interface QueuedTask {
  readonly task: SendTask;
  readonly delaySeconds?: number;
}

export interface SendQueue {
  /** Puts everything on the queue, or throws: the caller must then repeat all of it. */
  add(tasks: readonly QueuedTask[], signal?: AbortSignal): Promise<void>;
}

/** As many as SQS takes in one call. */
const BATCH = 10;

/** Fair by destination: SQS lets no busy destination delay the others. */
export function makeSendQueue(client: SQSClient, queueUrl: string): SendQueue {
  return {
    async add(tasks, signal) {
      for (let from = 0; from < tasks.length; from += BATCH) {
        const { Failed = [] } = await client.send(
          new SendMessageBatchCommand({
            QueueUrl: queueUrl,
            Entries: tasks.slice(from, from + BATCH).map(({ task, delaySeconds }, index) => ({
              Id: String(index),
              MessageBody: JSON.stringify(task),
              MessageGroupId: task.destinationId,
              ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
            })),
          }),
          { abortSignal: signal },
        );
        if (Failed.length > 0) throw new Error(`SQS refused ${Failed.length} messages: ${Failed[0]?.Code}`);
      }
    },
  };
}
