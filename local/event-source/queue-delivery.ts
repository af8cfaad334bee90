import type { Message } from '@aws-sdk/client-sqs';
import { complaintOf, type Outcome, readBatchResponse } from './batch-response.ts';
import type { EventSourceSettings } from './event-source.ts';
import type { QueueMapping } from './mapping.ts';
import type { MessageBox } from './message-box.ts';
import { toFilterable, toLambdaMessage } from './queue-message.ts';

export type DeliverMessages = (messages: readonly Message[]) => Promise<void>;

/**
 * Hands a batch to the function once, and deletes what is done with. The rest comes again after the queue's
 * visibility timeout, or goes to its dead-letter queue.
 */
export function makeQueueDelivery(
  mapping: QueueMapping,
  { invoke, print }: Pick<EventSourceSettings, 'invoke' | 'print'>,
  box: MessageBox,
): DeliverMessages {
  const toRecord = (message: Message) => toLambdaMessage(message, mapping.queueArn);

  async function attempt(messages: readonly Message[]): Promise<Outcome> {
    try {
      const payload = await invoke(JSON.stringify({ Records: messages.map(toRecord) }));
      if (!mapping.reportsItemFailures) return 'done';
      const outcome = readBatchResponse(payload, new Set(messages.map(({ MessageId = '' }) => MessageId)));
      if (outcome === 'failed') print(complaintOf(mapping.logicalId));
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
    await box.remove(messages.filter((message) => !wanted.includes(message) || !hasFailed(message)));
  };
}
