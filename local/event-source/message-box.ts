import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** A queue, as its reader sees it. */
export interface MessageBox {
  receive(limit: number, waitSeconds: number, signal: AbortSignal): Promise<Message[]>;
  remove(messages: readonly Message[]): Promise<void>;
}

/** What SQS gives, or deletes, at most at once. */
const REQUEST_LIMIT = 10;

export function makeMessageBox(client: SQSClient, queueUrl: string): MessageBox {
  return {
    async receive(limit, waitSeconds, signal) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: queueUrl,
          MaxNumberOfMessages: Math.min(limit, REQUEST_LIMIT),
          WaitTimeSeconds: waitSeconds,
          // The local SQS knows it under this name only.
          AttributeNames: ['All'],
          MessageAttributeNames: ['All'],
        }),
        { abortSignal: signal },
      );
      return Messages;
    },
    async remove(messages) {
      for (let start = 0; start < messages.length; start += REQUEST_LIMIT) {
        const Entries = messages
          .slice(start, start + REQUEST_LIMIT)
          .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
        await client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
      }
    },
  };
}
