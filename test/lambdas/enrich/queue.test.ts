import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { createSqsServer } from 'local-aws-sqs';
import { makeSecretReader } from '#enrichment/provider-key-store.ts';
import { makeMessageVisibility } from '#enrichment/queue-store.ts';
import { eventOf, openWorkbench, type Workbench } from './workbench.ts';

const aws = { region: 'eu-central-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

async function vacantPort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => void probe.close(() => resolve()));
  return port;
}

describe('with a real queue', () => {
  let bench: Workbench;
  let server: Awaited<ReturnType<typeof createSqsServer>>;
  let client: SQSClient;
  let queueUrl: string;

  beforeAll(async () => {
    bench = await openWorkbench();
    const port = await vacantPort();
    server = await createSqsServer({ port, hostname: '127.0.0.1' });
    client = new SQSClient({ ...aws, endpoint: `http://127.0.0.1:${port}` });
    const created = await client.send(new CreateQueueCommand({ QueueName: 'enrichment' }));
    queueUrl = created.QueueUrl as string;
  });
  afterAll(async () => {
    client.destroy();
    await bench.close();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });

  async function receive(): Promise<Message[]> {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        VisibilityTimeout: 1_000,
        WaitTimeSeconds: 0,
        // The newer MessageSystemAttributeNames is not known to this engine.
        AttributeNames: ['All'],
      }),
    );
    return Messages;
  }

  test('a message that shall come back does so after the delay, not after the whole visibility timeout', async () => {
    bench.dns.behaviours.set('analytical.com', { rcode: 'SERVFAIL' });
    const leadId = await bench.putLead();
    await client.send(
      new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify({ leadId }) }),
    );
    const [first] = await receive();
    // A delay of no seconds, so that nothing has to be waited for: what counts is that SQS took it.
    const visibility = makeMessageVisibility(queueUrl, { ...aws, endpoint: new URL(queueUrl).origin });
    const environment = bench.newEnvironment({
      visibility: { comeBackIn: (_, handle, signal) => visibility.comeBackIn(0, handle, signal) },
    });
    const { batchItemFailures } = await environment.enrich(eventOf(asRecord(first)));
    expect(batchItemFailures).toHaveLength(1);
    const [second] = await receive();
    expect(second?.MessageId).toBe(first?.MessageId);
    // How often it was received is not looked at: this engine counts a change of visibility, too.
    expect(await receive()).toEqual([]);
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }),
    );
    expect(Attributes?.ApproximateNumberOfMessagesNotVisible).toBe('1');
  });
});

/** As Lambda's poller hands a message over. */
function asRecord(message: Message | undefined): SQSRecord {
  return {
    messageId: message?.MessageId,
    receiptHandle: message?.ReceiptHandle,
    body: message?.Body,
    attributes: message?.Attributes,
  } as unknown as SQSRecord;
}

describe('the reader of the secret', () => {
  test('asks Secrets Manager for the ARN that it was given', async () => {
    const asked: unknown[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      asked.push(request.headers['x-amz-target'], JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
      response.end('{"SecretString":"key-1"}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await makeSecretReader('arn:of:secret', { ...aws, endpoint })()).toBe('key-1');
    expect(asked).toEqual(['secretsmanager.GetSecretValue', { SecretId: 'arn:of:secret' }]);
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
});
