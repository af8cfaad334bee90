import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { backoffMilliseconds } from './backoff.ts';
import type { EventSource, EventSourceSettings } from './event-source.ts';
import type { QueueMapping } from './mapping.ts';
import { type MessageBox, makeMessageBox } from './message-box.ts';
import { pause } from './pace.ts';
import { makeQueueDelivery } from './queue-delivery.ts';

export interface QueueSourceSettings extends Omit<EventSourceSettings, 'pace'> {
  readonly client: SQSClient;
}

const LONG_POLL_SECONDS = 20;

/** Takes messages from a queue, one long poll at a time, and lets several batches be worked on at once. */
export function startQueueSource(mapping: QueueMapping, settings: QueueSourceSettings): EventSource {
  const box = makeMessageBox(settings.client, mapping.queueUrl);
  const deliver = makeQueueDelivery(mapping, settings, box);
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
        const messages = await collect(box, mapping, signal);
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
async function collect(box: MessageBox, mapping: QueueMapping, signal: AbortSignal): Promise<Message[]> {
  const messages = await box.receive(mapping.batchSize, LONG_POLL_SECONDS, signal);
  const until = performance.now() + mapping.batchingWindowSeconds * 1000;
  while (messages.length > 0 && messages.length < mapping.batchSize && performance.now() < until) {
    messages.push(...(await box.receive(mapping.batchSize - messages.length, 1, signal)));
  }
  return messages;
}
