import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSqsServer } from 'local-aws-sqs';
import { enrichDependencies } from '#enrichment/enrich/handler.ts';
import { makeEnrichmentQueue } from '#enrichment/queue-store.ts';
import { makeRelay } from '#enrichment/relay/handler.ts';
import { insertOf, noise } from '../stats/stream-records.ts';

describe('the relay', () => {
  // Against a real SQS server, in this process.
  let server: Server;
  let client: SQSClient;
  let QueueUrl: string;
  const quiet = { write: () => undefined };

  beforeAll(async () => {
    server = await createSqsServer({ port: 0, hostname: '127.0.0.1' });
    const { port } = server.address() as AddressInfo;
    client = new SQSClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
  });

  afterAll(() => {
    client.destroy();
    server.close();
  });

  beforeEach(async () => {
    const made = await client.send(new CreateQueueCommand({ QueueName: randomUUID() }));
    QueueUrl = made.QueueUrl as string;
  });

  async function received(): Promise<string[]> {
    const bodies: string[] = [];
    for (;;) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
      );
      if (Messages.length === 0) return bodies;
      bodies.push(...Messages.map(({ Body }) => Body as string));
    }
  }

  test('puts only the ids of clean leads on the queue, never bodies', async () => {
    const relay = makeRelay({ queue: makeEnrichmentQueue(client, QueueUrl), log: quiet });
    const clean = Array.from({ length: 25 }, () => insertOf());
    const spam = insertOf({ clean: false });
    const answer = await relay({ Records: [...noise(), ...clean, spam] });
    expect(answer.batchItemFailures).toEqual([]);
    const ids = clean.map(({ dynamodb }) => dynamodb?.Keys?.leadId?.S);
    expect((await received()).toSorted()).toEqual(ids.map((leadId) => JSON.stringify({ leadId })).toSorted());
  });

  test('reports the sequence numbers that SQS refused, and relays the rest', async () => {
    const records = Array.from({ length: 25 }, () => insertOf());
    const lost = records.slice(10, 20);
    let batch = 0;
    client.middlewareStack.add(
      (next) => async (args) => {
        batch += 1;
        if (batch === 2) throw new Error('SQS is unavailable');
        return next(args);
      },
      { step: 'initialize', name: 'secondBatchFails' },
    );
    const relay = makeRelay({ queue: makeEnrichmentQueue(client, QueueUrl), log: quiet });
    const answer = await relay({ Records: records });
    client.middlewareStack.remove('secondBatchFails');
    expect(answer.batchItemFailures).toEqual(
      lost.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber })),
    );
    expect(await received()).toHaveLength(15);
  });
});

describe('the environment of the enrich function', () => {
  const NEEDED = { LEADS_TABLE: 'leads', ENRICHMENT_QUEUE_URL: 'https://sqs.eu-central-1.amazonaws.com/1/q' };
  const SECRET = { ENRICHMENT_PROVIDER_SECRET_ARN: 'arn:of:secret' };

  test.each([
    ['nothing', {}, /LEADS_TABLE/],
    ['no queue', { LEADS_TABLE: 'leads' }, /ENRICHMENT_QUEUE_URL/],
    ['a resolver by name', { ...NEEDED, ENRICHMENT_DNS_SERVERS: 'dns.example' }, /must be IP addresses/],
    [
      'a provider in the clear',
      { ...NEEDED, ...SECRET, ENRICHMENT_PROVIDER_URL: 'http://p.example/' },
      /https/,
    ],
    [
      'a name like loopback',
      { ...NEEDED, ...SECRET, ENRICHMENT_PROVIDER_URL: 'http://127.p.example/' },
      /https/,
    ],
    ['a provider that is no URL', { ...NEEDED, ...SECRET, ENRICHMENT_PROVIDER_URL: 'p.example' }, /https/],
    [
      'a key in the URL',
      { ...NEEDED, ...SECRET, ENRICHMENT_PROVIDER_URL: 'https://a:b@p.example/' },
      /https/,
    ],
    ['a provider without a key', { ...NEEDED, ENRICHMENT_PROVIDER_URL: 'https://p.example/' }, /SECRET_ARN/],
  ])('is refused at startup with %s', (_, env, complaint) => {
    expect(() => enrichDependencies(env)).toThrow(complaint);
  });

  test.each([
    ['nothing optional', {}, false],
    ['empty variables', { ENRICHMENT_PROVIDER_URL: '', ENRICHMENT_DNS_SERVERS: '' }, false],
    ['a secret alone', SECRET, false],
    ['resolvers', { ENRICHMENT_DNS_SERVERS: '127.0.0.1:5353, 1.1.1.1,[::1]:53' }, false],
    ['a provider', { ...SECRET, ENRICHMENT_PROVIDER_URL: 'https://p.example/enrich' }, true],
    ['a provider on this machine', { ...SECRET, ENRICHMENT_PROVIDER_URL: 'http://127.0.0.1:8080/' }, true],
  ])('with %s configures a provider: %s', (_, env, hasProvider) => {
    process.env.AWS_REGION ??= 'eu-central-1';
    expect(enrichDependencies({ ...NEEDED, ...env }).provider !== undefined).toBe(hasProvider);
  });
});
