import type { Message } from '@aws-sdk/client-sqs';
import { type Outcome, readBatchResponse } from '../../lambdas/in-turn/batch.ts';
import { toLambdaMessage } from '../../lambdas/in-turn/waiting-messages-store.ts';
import { LOCAL_REGION } from '../local-account.ts';
import {
  backoffMilliseconds,
  type EventSource,
  type EventSourceSettings,
  invalidResponseMessage,
  pause,
} from './event-source.ts';
import type { QueueMapping } from './mapping.ts';
import type { ServiceClient } from './service-client.ts';

export interface QueueSourceSettings extends Omit<EventSourceSettings, 'pace'> {
  readonly client: ServiceClient;
}

const LONG_POLL_SECONDS = 20;

/** Reads from a queue with one long poll at a time, and processes several batches at once. */
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

/** A full batch, or what has arrived when the batching window ends. */
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
 * Invokes the function once per batch, and deletes what succeeded. The rest becomes visible again after the queue's
 * visibility timeout, or moves to its dead-letter queue.
 */
export function makeQueueDelivery(
  mapping: QueueMapping,
  { invoke, print }: Pick<EventSourceSettings, 'invoke' | 'print'>,
  queue: QueueReader,
): DeliverMessages {
  const source = { arn: mapping.queueArn, region: LOCAL_REGION };
  const toRecord = (message: Message) => toLambdaMessage(message, source);

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

/** Filters see the body as parsed JSON, if it is JSON. */
export function toFilterable(message: ReturnType<typeof toLambdaMessage>): unknown {
  try {
    return { ...message, body: JSON.parse(message.body) };
  } catch {
    return message;
  }
}

export interface QueueReader {
  receive(limit: number, waitSeconds: number, signal: AbortSignal): Promise<Message[]>;
  remove(messages: readonly Message[]): Promise<void>;
}

/** SQS receives and deletes at most this many messages per request. */
const REQUEST_LIMIT = 10;

export function makeQueueReader(client: ServiceClient, QueueUrl: string): QueueReader {
  return {
    async receive(limit, waitSeconds, signal) {
      const { Messages = [] } = await client.call<{ Messages?: Message[] }>(
        'ReceiveMessage',
        {
          QueueUrl,
          MaxNumberOfMessages: Math.min(limit, REQUEST_LIMIT),
          WaitTimeSeconds: waitSeconds,
          // The local SQS knows only this name.
          AttributeNames: ['All'],
          MessageAttributeNames: ['All'],
        },
        signal,
      );
      return Messages;
    },
    async remove(messages) {
      for (let start = 0; start < messages.length; start += REQUEST_LIMIT) {
        const Entries = messages
          .slice(start, start + REQUEST_LIMIT)
          .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
        await client.call('DeleteMessageBatch', { QueueUrl, Entries });
      }
    },
  };
}
