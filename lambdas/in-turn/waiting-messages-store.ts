import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { makeSocketPool } from '../aws/socket-pool.ts';
import type { Batch } from './batch.ts';

/** Longer than a poll. */
const TIMEOUT_MS = 5_000;

/** Requests go to the address of SQS. The address in a queue's URL can be another one, as on a local stack. */
export function makeWaitingMessagesClient(): SQSClient {
  return new SQSClient({
    maxAttempts: 3,
    requestHandler: makeSocketPool()(TIMEOUT_MS),
    useQueueUrlAsEndpoint: false,
  });
}

export interface WaitingMessages {
  /** The next messages of the queue, if there are any. */
  take(): Promise<Batch[]>;
}

/** What has failed stays hidden for the queue's visibility timeout and then comes back, as with a mapping. */
export function makeWaitingMessages(client: SQSClient, queueUrl: string, limit: number): WaitingMessages {
  async function remove(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    const { Failed = [] } = await client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    if (Failed.length > 0) throw new Error('a message that was worked on could not be deleted');
  }

  /** Quicker than to wait for messages, and surer than not to wait: SQS then looks only in some of its servers. */
  async function isEmpty(): Promise<boolean> {
    const AttributeNames = ['ApproximateNumberOfMessages'] as const;
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...AttributeNames] }),
    );
    return Number(Attributes?.ApproximateNumberOfMessages ?? 0) === 0;
  }

  return {
    async take() {
      if (await isEmpty()) return [];
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: queueUrl,
          MaxNumberOfMessages: limit,
          WaitTimeSeconds: 1,
          AttributeNames: ['All'],
          MessageAttributeNames: ['All'],
        }),
      );
      if (Messages.length === 0) return [];
      const source = { arn: arnOf(queueUrl), region: process.env.AWS_REGION ?? '' };
      return [
        {
          event: { Records: Messages.map((message) => toLambdaMessage(message, source)) },
          ids: Messages.map(({ MessageId = '' }) => MessageId),
          settle: (outcome) =>
            remove(
              Messages.filter(
                ({ MessageId = '' }) =>
                  outcome === 'done' || (outcome !== 'failed' && !outcome.has(MessageId)),
              ),
            ),
        },
      ];
    },
  };
}

function arnOf(queueUrl: string): string {
  const [account, name] = queueUrl.split('/').slice(-2);
  return `arn:aws:sqs:${process.env.AWS_REGION}:${account}:${name}`;
}

/** A message as a function receives it: https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
export function toLambdaMessage(message: Message, queue: { readonly arn: string; readonly region: string }) {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body ?? '',
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [
        name,
        {
          ...(value.StringValue !== undefined && { stringValue: value.StringValue }),
          ...(value.BinaryValue !== undefined && {
            binaryValue: Buffer.from(value.BinaryValue).toString('base64'),
          }),
          stringListValues: [],
          binaryListValues: [],
          dataType: value.DataType,
        },
      ]),
    ),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queue.arn,
    awsRegion: queue.region,
  };
}
