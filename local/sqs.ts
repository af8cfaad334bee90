import { createServer } from 'node:http';
import { createRequestHandler } from 'local-aws-sqs';
import type { Closers } from './closers.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from './local-account.ts';
import { isFromProgram, LOOPBACK, listenOnLoopback } from './loopback.ts';
import { correctQueue } from './sqs-corrections.ts';
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
    if (queue !== undefined) reader.learn(logicalId, 'Ref', queue.QueueUrl);
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
