import { createServer } from 'node:http';
import { createRequestHandler } from 'local-aws-sqs';
import { type Closers, isFromProgram, LOOPBACK, listenOnLoopback } from './lifecycle.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from './local-account.ts';
import type { Resource, TemplateReader } from './template.ts';

/** The attributes that matter locally. Keys and policies don't. */
const ATTRIBUTES = [
  'ContentBasedDeduplication',
  'DelaySeconds',
  'FifoQueue',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'VisibilityTimeout',
] as const;

/**
 * Serves the template's queues in memory, and tells the reader their URLs. Messages are lost at the end, but come
 * again from the streams.
 */
export async function startSqs(
  reader: TemplateReader,
  closers: Closers,
): Promise<{ readonly endpoint: string; readonly isEmpty: () => boolean }> {
  const queues = reader.resources('AWS::SQS::Queue');
  const { service, requestHandler } = createRequestHandler({
    port: 0,
    hostname: LOOPBACK,
    region: LOCAL_REGION,
    accountId: LOCAL_ACCOUNT,
    // A dead-letter queue must exist before another queue can name it.
    queues: [...queues].sort(byRedrive).map((queue) => describe(queue, reader)),
  });
  service.Queues.forEach(correctQueue);
  const server = createServer((request, response) => {
    if (isFromProgram(request)) void requestHandler(request, response);
    else response.writeHead(403).end();
  });
  const endpoint = await listenOnLoopback(server, closers);
  service.PORT = Number(new URL(endpoint).port);
  for (const { logicalId } of queues) {
    const queue = service.Queues.find(({ QueueName }) => QueueName === reader.name(logicalId));
    if (queue !== undefined) reader.setAttribute(logicalId, 'Ref', queue.QueueUrl);
  }
  return { endpoint, isEmpty: () => service.Queues.every(isEmpty) };
}

const COUNTS = ['', 'NotVisible', 'Delayed'].map((which) => `ApproximateNumberOfMessages${which}`);

function isEmpty(queue: Queue): boolean {
  const counts = Object.values<string | number>(queue.getAttributes(COUNTS));
  return counts.every((count) => Number(count) === 0);
}

function byRedrive(left: Resource, right: Resource): number {
  const rank = (queue: Resource) => (queue.property('RedrivePolicy') === undefined ? 0 : 1);
  return rank(left) - rank(right);
}

function describe(queue: Resource, reader: TemplateReader) {
  const given = ATTRIBUTES.map((name) => [name, queue.property<unknown>(name)] as const);
  const redrive = queue.property('RedrivePolicy');
  return {
    QueueName: reader.name(queue.logicalId),
    Attributes: Object.fromEntries([
      ...given.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]),
      ...(redrive === undefined ? [] : [['RedrivePolicy', JSON.stringify(redrive)]]),
    ]),
  };
}

/** The public members of a queue. */
type Queue = ReturnType<typeof createRequestHandler>['service']['Queues'][number];

interface LiveRecord {
  readonly MessageId: string;
  readonly attributes: { ApproximateReceiveCount: string };
}

/** Messages of one request arrive together, a moment after they were sent. */
const ARRIVAL_MILLISECONDS = 5;
/** For messages that were delayed, or come back. */
const LOOK_AGAIN_MILLISECONDS = 250;

/** Fixes two differences between local-aws-sqs 2.0 and SQS. */
export function correctQueue(queue: Queue): void {
  returnFromLongPollsEarly(queue);
  countReceivesOnly(queue);
}

/** It waits the whole time unless the maximum number of messages arrives. SQS returns with the first. */
function returnFromLongPollsEarly(queue: Queue): void {
  const waiting = new Set<() => void>();
  let isArriving = false;
  const { newRecord } = queue;
  queue.newRecord = (record, delay) => {
    if (!isArriving) {
      isArriving = true;
      const arrive = () => {
        isArriving = false;
        for (const look of waiting) look();
      };
      setTimeout(arrive, ARRIVAL_MILLISECONDS).unref();
    }
    return newRecord(record, delay);
  };
  const arrival = () =>
    new Promise<void>((resolve) => {
      const look = () => {
        clearTimeout(timer);
        waiting.delete(look);
        resolve();
      };
      const timer = setTimeout(look, LOOK_AGAIN_MILLISECONDS).unref();
      waiting.add(look);
    });
  const receive = queue.receive.bind(queue);
  queue.receive = async (request) => {
    const waitSeconds = Number(request.WaitTimeSeconds ?? queue.ReceiveMessageWaitTimeSeconds);
    const until = performance.now() + waitSeconds * 1000;
    for (;;) {
      const messages = await receive({ ...request, WaitTimeSeconds: 0 });
      if (messages.length > 0 || performance.now() >= until) return messages;
      await arrival();
    }
  };
}

/** It counts a change of visibility as a receive, which would halve the retries of delayed messages. */
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

/** A receipt handle is base64 of a random prefix followed by JSON. */
function messageIdOf(receiptHandle: string): string {
  const text = Buffer.from(receiptHandle, 'base64').toString();
  return JSON.parse(text.slice(text.indexOf('{'))).MessageId;
}
