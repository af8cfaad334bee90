import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { LOCAL_REGION } from '../local-account.ts';
import {
  backoffMilliseconds,
  type EventSource,
  type EventSourceSettings,
  invalidResponseMessage,
  type Outcome,
  pause,
  readBatchResponse,
} from './event-source.ts';
import type { QueueMapping } from './mapping.ts';

export interface QueueSourceSettings extends Omit<EventSourceSettings, 'pace'> {
  readonly client: SQSClient;
}

const LONG_POLL_SECONDS = 20;

/** Takes messages from a queue, one long poll at a time, and lets several batches be worked on at once. */
export function startQueueSource(mapping: QueueMapping, settings: QueueSourceSettings): EventSource {
  const queue = makeQueueReader(settings.client, mapping.queueUrl);
  const deliver = makeQueueDelivery(mapping, settings, queue);
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();

  function begin(messages: readonly Message[]): void {
    const task = deliver(messages)
      .catch(({ message }: Error) => settings.print(`${mapping.logicalId} could not delete: ${message}`))
      .finally(() => running.delete(task));
    running.add(task);
  }

  async function poll(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      if (running.size >= mapping.maximumConcurrency) {
        await Promise.race(running);
        continue;
      }
      try {
        const messages = await collect(queue, mapping, signal);
        failures = 0;
        if (messages.length > 0) begin(messages);
      } catch {
        failures += 1;
        await pause(backoffMilliseconds(failures), signal);
      }
    }
  }

  const polling = poll();
  return {
    async stop() {
      stopping.abort();
      await polling;
      await Promise.all(running);
    },
  };
}

/** A batch: full, or what has come when its window is over. */
async function collect(queue: QueueReader, mapping: QueueMapping, signal: AbortSignal): Promise<Message[]> {
  const messages = await queue.receive(mapping.batchSize, LONG_POLL_SECONDS, signal);
  const until = performance.now() + mapping.batchingWindowSeconds * 1000;
  while (messages.length > 0 && messages.length < mapping.batchSize && performance.now() < until) {
    messages.push(...(await queue.receive(mapping.batchSize - messages.length, 1, signal)));
  }
  return messages;
}

export type DeliverMessages = (messages: readonly Message[]) => Promise<void>;

/**
 * Hands a batch to the function once, and deletes what is done with. The rest comes again after the queue's
 * visibility timeout, or goes to its dead-letter queue.
 */
export function makeQueueDelivery(
  mapping: QueueMapping,
  { invoke, print }: Pick<EventSourceSettings, 'invoke' | 'print'>,
  queue: QueueReader,
): DeliverMessages {
  const toRecord = (message: Message) => toLambdaMessage(message, mapping.queueArn);

  async function attempt(messages: readonly Message[]): Promise<Outcome> {
    try {
      const payload = await invoke(JSON.stringify({ Records: messages.map(toRecord) }));
      if (!mapping.reportsItemFailures) return 'done';
      const outcome = readBatchResponse(payload, new Set(messages.map(({ MessageId = '' }) => MessageId)));
      if (outcome === 'failed') print(invalidResponseMessage(mapping.logicalId));
      return outcome;
    } catch {
      // The function's own log says why.
      return 'failed';
    }
  }

  return async (messages) => {
    const wanted = messages.filter((message) => mapping.matches(toFilterable(toRecord(message))));
    const outcome = wanted.length === 0 ? 'done' : await attempt(wanted);
    const hasFailed = ({ MessageId = '' }: Message) =>
      outcome === 'failed' || (outcome !== 'done' && outcome.has(MessageId));
    await queue.remove(messages.filter((message) => !wanted.includes(message) || !hasFailed(message)));
  };
}

/** A message of a queue as a function gets it: https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
export function toLambdaMessage(message: Message, queueArn: string) {
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
    eventSourceARN: queueArn,
    awsRegion: LOCAL_REGION,
  };
}

/** What a pattern is laid upon: the body as JSON, where it is. */
export function toFilterable(message: ReturnType<typeof toLambdaMessage>): unknown {
  try {
    return { ...message, body: JSON.parse(message.body) };
  } catch {
    return message;
  }
}

/** A queue, as its reader sees it. */
export interface QueueReader {
  receive(limit: number, waitSeconds: number, signal: AbortSignal): Promise<Message[]>;
  remove(messages: readonly Message[]): Promise<void>;
}

/** What SQS gives, or deletes, at most at once. */
const REQUEST_LIMIT = 10;

export function makeQueueReader(client: SQSClient, queueUrl: string): QueueReader {
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
