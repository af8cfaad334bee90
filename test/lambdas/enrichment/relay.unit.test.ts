import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AttributeValue } from 'aws-lambda';
import { createSqsServer } from 'local-aws-sqs';
import { makeMessageVisibility, makeOutbox } from '#aws/queues.ts';
import { enrichDependencies } from '#enrichment/enrich/handler.ts';
import { makeRelay } from '#enrichment/relay/handler.ts';
import { toReviewItem } from '#model/review-item.ts';
import { insertOf, noise } from '../stats/stream-records.ts';

describe('the relay', () => {
  // Against a real SQS server, in this process.
  let server: Server;
  let connection: SQSClientConfig;
  let client: SQSClient;
  let [QueueUrl, DispatchUrl, IndexUrl, LearningUrl] = ['', '', '', ''];
  const quiet = { write: () => undefined };

  beforeAll(async () => {
    server = await createSqsServer({ port: 0, hostname: '127.0.0.1' });
    const { port } = server.address() as AddressInfo;
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    connection = { endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', credentials };
    client = new SQSClient(connection);
  });

  afterAll(() => {
    client.destroy();
    server.close();
  });

  beforeEach(async () => {
    const make = async () =>
      (await client.send(new CreateQueueCommand({ QueueName: randomUUID() }))).QueueUrl as string;
    [QueueUrl, DispatchUrl, IndexUrl, LearningUrl] = [await make(), await make(), await make(), await make()];
  });

  const relayToAll = () =>
    makeRelay({
      enrichment: makeOutbox(client, QueueUrl),
      dispatch: makeOutbox(client, DispatchUrl),
      index: makeOutbox(client, IndexUrl),
      learning: makeOutbox(client, LearningUrl),
      log: quiet,
    });

  /** All messages of the queue. One whose response was lost on the way comes again a second later. */
  async function received(queueUrl = QueueUrl): Promise<string[]> {
    const counts = [
      'ApproximateNumberOfMessages',
      'ApproximateNumberOfMessagesNotVisible',
      'ApproximateNumberOfMessagesDelayed',
    ] as const;
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...counts] }),
    );
    const total = counts.reduce((sum, name) => sum + Number(Attributes[name]), 0);
    const bodies = new Map<string, string>();
    while (bodies.size < total) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 1 }),
      );
      for (const { MessageId, Body } of Messages) bodies.set(MessageId as string, Body as string);
    }
    return [...bodies.values()];
  }

  test('puts only the ids of clean leads on the queue, never bodies', async () => {
    const relay = relayToAll();
    const clean = Array.from({ length: 25 }, () => insertOf());
    const spam = insertOf({ clean: false });
    const response = await relay({ Records: [...noise(), ...clean, spam] });
    expect(response.batchItemFailures).toEqual([]);
    const ids = clean.map(({ dynamodb }) => dynamodb?.Keys?.leadId?.S);
    expect((await received()).toSorted()).toEqual(ids.map((leadId) => JSON.stringify({ leadId })).toSorted());
  });

  test('tells only the index of a lead that was opened or handled, and of no other change of a lead', async () => {
    const { dynamodb } = insertOf({ clean: true });
    const changed = (more: object) => ({
      eventName: 'MODIFY' as const,
      dynamodb: { SequenceNumber: '9', NewImage: { ...dynamodb?.NewImage, ...more } },
    });
    const opened = { M: { at: { S: '2026-11-15T12:35:00.000Z' }, by: { S: 'member:mem_1' } } };
    const note = { M: { note: { S: 'private' } } };
    await relayToAll()({ Records: [changed({ opened, handled: note }), changed({})] });
    const leadId = dynamodb?.Keys?.leadId?.S;
    expect((await received(IndexUrl)).map((body) => JSON.parse(body))).toEqual([
      { type: 'lead.handled', workspaceId: 'ws_1', leadId },
    ]);
    for (const url of [QueueUrl, DispatchUrl, LearningUrl]) expect(await received(url)).toEqual([]);
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
    await relayToAll()({
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
    // An enrichment that was written while the lead was erased is removed.
    expect(await received()).toEqual([JSON.stringify({ leadId })]);
    const named = { workspaceId: 'ws_1', leadId };
    // The index also learns that an enrichment failed.
    expect((await received(IndexUrl)).map((body) => JSON.parse(body))).toEqual([
      { type: 'lead.accepted', ...named },
      { type: 'lead.enrichment_failed', ...named },
      { type: 'lead.enriched', ...named },
      { type: 'lead.erased', ...named },
    ]);
    expect(await received(LearningUrl)).toEqual([
      JSON.stringify({ task: 'learn', workspaceId: 'ws_1', ifLearned: true }),
    ]);
  });

  test('enriches a lead that a review made clean, and announces it once more as clean', async () => {
    const at = '2026-11-15T12:35:00.000Z';
    const review = (
      leadId: string,
      madeClean: boolean,
      eventName: 'INSERT' | 'MODIFY',
      clean = madeClean,
    ) => {
      const note = { leadId, workspaceId: 'ws_1', formId: 'form_1', score: 12, at, madeClean };
      const NewImage = marshall(toReviewItem({ ...note, clean, verdict: clean ? 'good' : 'spam' }));
      return {
        eventName,
        dynamodb: { SequenceNumber: '9', NewImage: NewImage as Record<string, AttributeValue> },
      };
    };
    const changed = { ...insertOf(), eventName: 'MODIFY' as const };
    const [good, old] = [randomUUID(), randomUUID()];
    const response = await relayToAll()({
      Records: [
        changed,
        review(good, true, 'INSERT'),
        review(randomUUID(), false, 'MODIFY'),
        // Too old to be sent once more. It may have no enrichment yet.
        review(old, false, 'MODIFY', true),
      ],
    });
    expect(response.batchItemFailures).toEqual([]);
    expect(await received()).toEqual([
      JSON.stringify({ leadId: good, madeClean: true }),
      JSON.stringify({ leadId: old }),
    ]);
    const owned = { workspaceId: 'ws_1', formId: 'form_1', leadId: good };
    expect((await received(DispatchUrl)).map((body) => JSON.parse(body))).toEqual([
      { type: 'lead.accepted', ...owned, at, score: 12, clean: true, madeClean: true },
    ]);
    // Once for the workspace, however many reviews there are.
    expect(await received(LearningUrl)).toEqual([JSON.stringify({ task: 'learn', workspaceId: 'ws_1' })]);
  });

  test('asks to learn from a review rather than from an erasure, and again if the queue refuses', async () => {
    const at = '2026-11-15T12:35:00.000Z';
    const owner = { workspace: { S: 'ws_1' }, form: { S: 'form_1' } };
    const record = (SequenceNumber: string, NewImage: Record<string, AttributeValue>) => ({
      eventName: 'INSERT' as const,
      dynamodb: { SequenceNumber, NewImage: { leadId: { S: randomUUID() }, ...NewImage } },
    });
    const erased = (n: string) => record(n, { ...owner, part: { S: 'erased' }, erasedAt: { S: at } });
    const names = { workspaceId: { S: 'ws_1' }, form: { S: 'form_1' }, at: { S: at } };
    const reviewed = record('2', { ...names, part: { S: 'review' }, clean: { BOOL: false } });
    const Records = [erased('1'), reviewed, erased('3')];
    const unavailable = { send: async (entries: readonly object[]) => new Set(entries as never[]) };
    const learning = unavailable as Parameters<typeof makeRelay>[0]['learning'];
    const taken = { send: async () => new Set<never>() };
    const relay = makeRelay({ enrichment: taken, dispatch: taken, index: taken, learning, log: quiet });
    expect(await relay({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
    await relayToAll()({ Records });
    expect(await received(LearningUrl)).toEqual([JSON.stringify({ task: 'learn', workspaceId: 'ws_1' })]);
  });

  test('a message whose enrichment waits returns after the delay, not after the whole visibility timeout', async () => {
    await makeOutbox(client, QueueUrl).send([{ leadId: 'lead-1' }]);
    const receive = async () => {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 1_000, WaitTimeSeconds: 0 }),
      );
      return Messages;
    };
    const [first] = await receive();
    expect(await receive()).toEqual([]);
    // A delay of zero, to avoid waiting: what matters is that SQS accepts it.
    const visibility = makeMessageVisibility(QueueUrl, connection);
    await visibility.comeBackIn(0, first?.ReceiptHandle ?? '', AbortSignal.timeout(10_000));
    expect(await receive()).toMatchObject([{ MessageId: first?.MessageId }]);
  });

  test('reports the sequence numbers that SQS refused, and relays the rest', async () => {
    const records = Array.from({ length: 25 }, () => insertOf());
    const lost = records.slice(10, 20);
    let batch = 0;
    client.middlewareStack.add(
      (next) => async (args) => {
        if ((args.input as { QueueUrl?: string }).QueueUrl !== QueueUrl) return next(args);
        batch += 1;
        if (batch === 2) throw new Error('SQS is unavailable');
        return next(args);
      },
      { step: 'initialize', name: 'secondBatchFails' },
    );
    const relay = relayToAll();
    const response = await relay({ Records: records });
    client.middlewareStack.remove('secondBatchFails');
    expect(response.batchItemFailures).toEqual(
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
