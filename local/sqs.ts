import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRequestHandler } from 'local-aws-sqs';
import type { Closers } from './lifecycle.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from './local-account.ts';
import { isFromProgram, LOOPBACK, listenOnLoopback } from './loopback.ts';
import type { Resource, TemplateReader } from './template.ts';

/** What a queue may be given that has a meaning here; keys and policies have none. */
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
 * Serves the template's queues, in memory: what they hold is lost at the end, and comes again from the streams. The
 * reader then knows their URLs.
 */
export async function startSqs(
  reader: TemplateReader,
  closers: Closers,
): Promise<{ readonly endpoint: string }> {
  const queues = reader.resources('AWS::SQS::Queue');
  const { service, requestHandler } = createRequestHandler({
    port: 0,
    hostname: LOOPBACK,
    region: LOCAL_REGION,
    accountId: LOCAL_ACCOUNT,
    // A queue must be there before another may name it as the one for its dead letters.
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
  return { endpoint };
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
