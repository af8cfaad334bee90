import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AttributeValue } from 'aws-lambda';
import { createSqsServer } from 'local-aws-sqs';
import { makeOutbox } from '#enrichment/queue-store.ts';
import { makeRelay } from '#enrichment/relay/handler.ts';
import { insertOf, noise } from './stream-records.ts';

// Against a real SQS server, in this process.
let server: Server;
let client: SQSClient;
let QueueUrl: string;
let DispatchUrl: string;
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
  const make = () => client.send(new CreateQueueCommand({ QueueName: randomUUID() }));
  QueueUrl = (await make()).QueueUrl as string;
  DispatchUrl = (await make()).QueueUrl as string;
});

const relayToBoth = () =>
  makeRelay({
    enrichment: makeOutbox(client, QueueUrl),
    dispatch: makeOutbox(client, DispatchUrl),
    log: quiet,
  });

async function received(queueUrl = QueueUrl): Promise<string[]> {
  const bodies: string[] = [];
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 }),
    );
    if (Messages.length === 0) return bodies;
    bodies.push(...Messages.map(({ Body }) => Body as string));
  }
}

describe('the relay', () => {
  test('puts the ids of clean leads on the queue, never bodies, and nothing else', async () => {
    const relay = relayToBoth();
    const clean = Array.from({ length: 25 }, () => insertOf());
    const spam = insertOf({ clean: false });
    const answer = await relay({ Records: [...noise(), ...clean, spam] });
    expect(answer.batchItemFailures).toEqual([]);
    const ids = clean.map(({ dynamodb }) => dynamodb?.Keys?.leadId?.S);
    expect((await received()).toSorted()).toEqual(ids.map((leadId) => JSON.stringify({ leadId })).toSorted());
  });

  test('announces every accepted, enriched and erased lead to the dispatch queue, without its body', async () => {
    const accepted = insertOf({ clean: false, score: 12 });
    const leadId = accepted.dynamodb?.Keys?.leadId?.S as string;
    const part = (image: Record<string, AttributeValue>, eventName: 'INSERT' | 'MODIFY' = 'INSERT') => ({
      eventName,
      dynamodb: { SequenceNumber: '9', NewImage: { leadId: { S: leadId }, ...image } },
    });
    const owner = { workspace: { S: 'ws_1' }, form: { S: 'form_1' } };
    const enriched = { ...owner, part: { S: 'enrichment' }, state: { S: 'enriched' }, score: { N: '12' } };
    const at = '2026-11-15T12:35:00.000Z';
    await relayToBoth()({
      Records: [
        accepted,
        part({ ...enriched, state: { S: 'failed' }, enrichedAt: { S: at } }),
        part({ ...enriched, enrichedAt: { S: at } }, 'MODIFY'),
        part({ ...owner, part: { S: 'erased' }, erasedAt: { S: at } }),
      ],
    });
    const owned = { workspaceId: 'ws_1', formId: 'form_1', leadId };
    expect((await received(DispatchUrl)).map((body) => JSON.parse(body))).toEqual([
      { type: 'lead.accepted', ...owned, at: '2026-11-15T12:34:56.789Z', score: 12, clean: false },
      { type: 'lead.enriched', ...owned, at, score: 12, clean: true },
      { type: 'lead.erased', ...owned, at },
    ]);
    expect(await received()).toEqual([]);
  });

  test('reports what SQS refused, by sequence number, and relays the rest', async () => {
    const records = Array.from({ length: 25 }, () => insertOf());
    const lost = records.slice(10, 20);
    let batch = 0;
    client.middlewareStack.add(
      (next) => async (args) => {
        if ((args.input as { QueueUrl?: string }).QueueUrl !== QueueUrl) return next(args);
        batch += 1;
        if (batch === 2) throw new Error('SQS is away for a moment');
        return next(args);
      },
      { step: 'initialize', name: 'secondBatchFails' },
    );
    const relay = relayToBoth();
    const answer = await relay({ Records: records });
    client.middlewareStack.remove('secondBatchFails');
    expect(answer.batchItemFailures).toEqual(
      lost.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber })),
    );
    expect(await received()).toHaveLength(15);
  });
});
