import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { isInSlowLane, type SendTask } from './message.ts';

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

export interface SendQueueUrls {
  readonly sending: string;
  /** Of the send function alone: only it moves tasks to the slow lane. */
  readonly slowSending?: string;
}

/** Grouped by workspace: twenty destinations get no larger share of the queue than one. */
export function makeSendQueue(client: SQSClient, { sending, slowSending }: SendQueueUrls): SendQueue {
  async function addTo(queueUrl: string, tasks: readonly QueuedTask[], signal?: AbortSignal): Promise<void> {
    for (let from = 0; from < tasks.length; from += BATCH) {
      const { Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: tasks.slice(from, from + BATCH).map(({ task, delaySeconds }, index) => ({
            Id: String(index),
            MessageBody: JSON.stringify(task),
            MessageGroupId: task.workspaceId,
            ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
          })),
        }),
        { abortSignal: signal },
      );
      if (Failed.length > 0) throw new Error(`SQS refused ${Failed.length} messages: ${Failed[0]?.Code}`);
    }
  }

  return {
    async add(tasks, signal) {
      const isSlow = ({ task }: QueuedTask) => slowSending !== undefined && isInSlowLane(task);
      await addTo(
        sending,
        tasks.filter((each) => !isSlow(each)),
        signal,
      );
      if (slowSending !== undefined) await addTo(slowSending, tasks.filter(isSlow), signal);
    },
  };
}
