import { setTimeout as sleep } from 'node:timers/promises';
import type { createRequestHandler } from 'local-aws-sqs';

/** A queue of the package's: the parts that it shows. */
type Queue = ReturnType<typeof createRequestHandler>['service']['Queues'][number];

interface LiveRecord {
  readonly MessageId: string;
  readonly attributes: { ApproximateReceiveCount: string };
}

const LOOK_AGAIN_MILLISECONDS = 60;

/** Mends two things in which local-aws-sqs 2.0 differs from SQS, through its public members. */
export function correctQueue(queue: Queue): void {
  returnFromLongPollsEarly(queue);
  countReceivesOnly(queue);
}

/** It waits the whole time unless as many messages come as were allowed; SQS returns with the first. */
function returnFromLongPollsEarly(queue: Queue): void {
  const receive = queue.receive.bind(queue);
  queue.receive = async (request) => {
    const waitSeconds = Number(request.WaitTimeSeconds ?? queue.ReceiveMessageWaitTimeSeconds);
    const until = performance.now() + waitSeconds * 1000;
    for (;;) {
      const messages = await receive({ ...request, WaitTimeSeconds: 0 });
      if (messages.length > 0 || performance.now() >= until) return messages;
      await sleep(LOOK_AGAIN_MILLISECONDS, undefined, { ref: false });
    }
  };
}

/** It counts a change of visibility as a receive: whoever delays a retry would halve the retries. */
function countReceivesOnly(queue: Queue): void {
  const records = new Map<string, WeakRef<LiveRecord>>();
  const { newRecord } = queue;
  queue.newRecord = (record, delay) => {
    records.set(record.MessageId, new WeakRef(record as LiveRecord));
    return newRecord(record, delay);
  };
  const changeVisibility = queue.changeVisibility.bind(queue);
  queue.changeVisibility = (receiptHandle, seconds) => {
    const changed = changeVisibility(receiptHandle, seconds);
    const attributes = records.get(messageIdOf(receiptHandle))?.deref()?.attributes;
    if (changed && attributes) {
      attributes.ApproximateReceiveCount = String(Number(attributes.ApproximateReceiveCount) - 1);
    }
    return changed;
  };
  const remove = queue.delete.bind(queue);
  queue.delete = (receiptHandle) => {
    const removed = remove(receiptHandle);
    records.delete(messageIdOf(receiptHandle));
    return removed;
  };
}

/** Its receipt handles are JSON with something random before it, in base64. */
function messageIdOf(receiptHandle: string): string {
  const text = Buffer.from(receiptHandle, 'base64').toString();
  return JSON.parse(text.slice(text.indexOf('{'))).MessageId;
}
