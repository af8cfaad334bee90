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
import { makeMessageVisibility } from '#aws/queues.ts';
import { makeSecretReader } from '#aws/read-secret.ts';
import {
  type EnrichmentFixture,
  eventOf,
  message,
  messageAbout,
  openSubmissionFixture,
} from './enrichment-fixture.ts';

let fixture: EnrichmentFixture;
beforeAll(async () => {
  fixture = await openSubmissionFixture();
});
afterAll(() => fixture.close());

describe('a batch', () => {
  test('skips messages that cannot be read', async () => {
    const good = await Promise.all(Array.from({ length: 4 }, () => fixture.putLead()));
    const bad = ['', '{', 'null', '{"leadId":42}', '{"leadId":"canary"}', '[]'].map((body) => message(body));
    const [first, second, third, fourth] = good.map((leadId) => messageAbout(leadId));
    const environment = fixture.newEnvironment();
    const { batchItemFailures } = await environment.enrich(
      eventOf(
        ...bad.slice(0, 3),
        ...[first, second, third, fourth].flatMap((each) => each ?? []),
        ...bad.slice(3),
      ),
    );
    expect(batchItemFailures).toEqual(bad.map(({ messageId }) => ({ itemIdentifier: messageId })));
    for (const leadId of good)
      expect(await fixture.enrichmentOf(leadId)).toMatchObject({ state: 'enriched' });
    expect(environment.codes().filter((code) => code === 'malformed')).toHaveLength(6);
    expect(environment.logText.join()).not.toContain('canary');
  });

  test('is not delayed by one message that waits', async () => {
    fixture.dns.behaviours.set('slow.com', 'silent');
    const [slow, quick] = await Promise.all([fixture.putLead({ email: 'a@slow.com' }), fixture.putLead()]);
    const messages = [messageAbout(slow), messageAbout(quick)] as const;
    const environment = fixture.newEnvironment({ mailExchanges: fixture.mailExchanges(2_000) });
    const { batchItemFailures } = await environment.enrich(eventOf(...messages));
    expect(batchItemFailures).toEqual([{ itemIdentifier: messages[0].messageId }]);
    expect(environment.codes()).toEqual(['enriched', 'retried']);
  });

  test('may be empty', async () => {
    expect(await fixture.newEnvironment().enrich(eventOf())).toEqual({ batchItemFailures: [] });
  });
});

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
  let server: Awaited<ReturnType<typeof createSqsServer>>;
  let client: SQSClient;
  let queueUrl: string;

  beforeAll(async () => {
    const port = await vacantPort();
    server = await createSqsServer({ port, hostname: '127.0.0.1' });
    client = new SQSClient({ ...aws, endpoint: `http://127.0.0.1:${port}` });
    const created = await client.send(new CreateQueueCommand({ QueueName: 'enrichment' }));
    queueUrl = created.QueueUrl as string;
  });
  afterAll(async () => {
    client.destroy();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });

  async function receive(): Promise<Message[]> {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        VisibilityTimeout: 1_000,
        WaitTimeSeconds: 0,
        // This engine does not know the newer MessageSystemAttributeNames.
        AttributeNames: ['All'],
      }),
    );
    return Messages;
  }

  test('a retried message returns after the delay, not after the whole visibility timeout', async () => {
    fixture.dns.behaviours.set('analytical.com', { rcode: 'SERVFAIL' });
    const leadId = await fixture.putLead();
    await client.send(
      new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify({ leadId }) }),
    );
    const [first] = await receive();
    // A delay of zero, to avoid waiting: what matters is that SQS accepts it.
    const visibility = makeMessageVisibility(queueUrl, { ...aws, endpoint: new URL(queueUrl).origin });
    const environment = fixture.newEnvironment({
      visibility: { comeBackIn: (_, handle, signal) => visibility.comeBackIn(0, handle, signal) },
    });
    const { batchItemFailures } = await environment.enrich(eventOf(asRecord(first)));
    expect(batchItemFailures).toHaveLength(1);
    const [second] = await receive();
    expect(second?.MessageId).toBe(first?.MessageId);
    // The receive count is not checked, because this engine also counts changes of visibility.
    expect(await receive()).toEqual([]);
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }),
    );
    expect(Attributes?.ApproximateNumberOfMessagesNotVisible).toBe('1');
  });
});

/** A message as Lambda's poller passes it. */
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
