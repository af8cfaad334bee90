import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSqsServer } from 'local-aws-sqs';
import { makeEnrichmentQueue } from '#enrichment/queue-store.ts';
import { makeRelay } from '#enrichment/relay/handler.ts';
import { insertOf, noise } from '../stats/stream-records.ts';

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

describe('the relay', () => {
  test('puts the ids of clean leads on the queue, never bodies, and nothing else', async () => {
    const relay = makeRelay({ queue: makeEnrichmentQueue(client, QueueUrl), log: quiet });
    const clean = Array.from({ length: 25 }, () => insertOf());
    const spam = insertOf({ clean: false });
    const answer = await relay({ Records: [...noise(), ...clean, spam] });
    expect(answer.batchItemFailures).toEqual([]);
    const ids = clean.map(({ dynamodb }) => dynamodb?.Keys?.leadId?.S);
    expect((await received()).toSorted()).toEqual(ids.map((leadId) => JSON.stringify({ leadId })).toSorted());
  });

  test('reports what SQS refused, by sequence number, and relays the rest', async () => {
    const records = Array.from({ length: 25 }, () => insertOf());
    const lost = records.slice(10, 20);
    let batch = 0;
    client.middlewareStack.add(
      (next) => async (args) => {
        batch += 1;
        if (batch === 2) throw new Error('SQS is away for a moment');
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
