import { randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, SQSEvent } from 'aws-lambda';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { makeOutbox } from '#aws/queues.ts';
import { makeFunctionLog } from '#aws/telemetry.ts';
import { makeEnrichmentTelemetry } from '#enrichment/enrich/enrich-lead.ts';
import { makeEnrich } from '#enrichment/enrich/handler.ts';
import { makeEnrichments } from '#enrichment/enrichments-store.ts';
import { makeRelay } from '#enrichment/relay/handler.ts';
import { indexStores, makeIndexLeads } from '#leads/search/index-leads/handler.ts';
import { copyTable } from '#local/fixture/copy-table.ts';
import { type IngestFixture, type Sender, submissionId } from '#local/fixture/ingest-fixture.ts';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from '#local/local-account.ts';
import { makeStats, statsStores } from '#stats/handler.ts';
import { ASSUMPTIONS, type BackgroundWork, type FunctionUse, LOG_EVENT_BYTES } from '../cost/prices.ts';
import { BODIES, SIZES, type Size } from '../fixtures/index.ts';
import { makeCapacity } from '../units/capacity.ts';
import { recordWire } from '../units/wire-calls.ts';

export type BackgroundUse = Readonly<Record<BackgroundWork, FunctionUse>>;

const BATCH = ASSUMPTIONS.leadsPerBatch;
/** Lambda receives and deletes a batch with one request each. */
const RECEIVE_AND_DELETE = 2;
const TABLE_KEYS = ['leads', 'leadIndex', 'stats'] as const;

export async function countBackground(bench: IngestFixture): Promise<Readonly<Record<Size, BackgroundUse>>> {
  const uses: Partial<Record<Size, BackgroundUse>> = {};
  for (const size of SIZES) uses[size] = await countBackgroundOf(bench, size);
  return uses as Record<Size, BackgroundUse>;
}

/**
 * Lets the real functions work on a batch of clean leads of one workspace, as they come in, without destinations. They
 * are warm: what costs once per workspace and month, day or environment has been paid.
 */
async function countBackgroundOf(bench: IngestFixture, size: Size): Promise<BackgroundUse> {
  const { stack } = bench;
  const client = stack.newClient();
  // On tables of its own: the functions of a running stack would be faster.
  const copies: Record<string, string> = {};
  for (const key of TABLE_KEYS) copies[key] = await copyTable(client, stack.tables[key]);
  const functions = makeFunctions(bench, { ...stack.tables, ...copies });
  const sender = await bench.newSender();
  await functions.process(await functions.accept(sender, size, 1));
  const counted = await functions.process(await functions.accept(sender, size, BATCH));
  for (const TableName of Object.values(copies)) await client.send(new DeleteTableCommand({ TableName }));
  client.destroy();
  return counted;
}

function makeFunctions(
  { stack, clock, observer, newEnvironment }: IngestFixture,
  tables: typeof stack.tables,
) {
  const now = () => clock.now;
  const rawClient = stack.newClient();
  const wire = recordWire(rawClient);
  const capacityOf = makeCapacity(stack.newClient());
  const context = { client: toDocumentClient(rawClient), tables, now };
  const queues = recordQueues();
  let logBytes = 0;
  const write = (line: string) => {
    logBytes += Buffer.byteLength(line) + LOG_EVENT_BYTES;
  };
  const log = makeFunctionLog(now, write);
  const fail = (error: unknown) => {
    throw error;
  };

  const relay = makeRelay({
    enrichment: makeOutbox(queues.client, 'enrichment'),
    dispatch: makeOutbox(queues.client, 'dispatch'),
    index: makeOutbox(queues.client, 'index'),
    learning: makeOutbox(queues.client, 'learning'),
    log,
  });
  const enrich = makeEnrich({
    enrichments: makeEnrichments(context),
    mailExchanges: { hostsOf: async (domain) => [`mx1.${domain}`, `mx2.${domain}`] },
    visibility: { comeBackIn: async () => undefined },
    telemetry: makeEnrichmentTelemetry(now, write),
    now,
    random: Math.random,
    deadlineMilliseconds: 60_000,
  });
  const stats = makeStats({ ...statsStores(context), log, now });
  const index = makeIndexLeads({ ...indexStores(context), log, onError: fail });

  /** One invocation, per lead of its batch. */
  async function use(fromQueue: boolean, invoke: () => Promise<unknown>): Promise<FunctionUse> {
    wire.reset();
    queues.reset();
    logBytes = 0;
    failIfRetried(await invoke());
    const { writeUnits, readUnits } = await capacityOf(wire.list());
    const share = (amount: number) => amount / BATCH;
    // What the relay sends to dispatch is part of the cost of forwarding.
    const sends = queues.requests('enrichment') + queues.requests('index');
    return {
      writeUnits: share(writeUnits),
      readUnits: share(readUnits),
      dynamoDbCalls: share(wire.list().length),
      sqsRequests: share(sends + (fromQueue ? RECEIVE_AND_DELETE : 0)),
      invocations: share(1),
      logBytes: share(logBytes),
    };
  }

  const shard = { shardId: `shardId-${randomUUID()}`, eventSourceARN: 'arn:aws:dynamodb:::stream' };
  let sequence = 0;
  const inserted = (items: readonly object[]): DynamoDBRecord[] =>
    items.map((item) => {
      sequence += 1;
      const NewImage = marshall(item, { removeUndefinedValues: true }) as never;
      return { eventName: 'INSERT', dynamodb: { SequenceNumber: String(sequence), NewImage } };
    });
  async function read(table: string, leadId: string, part: string) {
    const Key = { leadId, part };
    const { Item } = await observer.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    if (!Item) throw new Error(`A lead has no ${part}`);
    return Item;
  }

  return {
    /** Leads as the ingest function stores them. */
    async accept(sender: Sender, size: Size, amount: number): Promise<Record<string, unknown>[]> {
      const environment = newEnvironment();
      const leads = [];
      for (let n = 0; n < amount; n += 1) {
        const leadId = submissionId(await environment.server(sender, { body: BODIES[size] }));
        const Item = await read(stack.tables.leads, leadId, 'lead');
        if (!Item.clean) throw new Error(`The lead of ${size} is not clean`);
        await observer.send(new PutCommand({ TableName: tables.leads, Item }));
        leads.push(Item);
      }
      return leads;
    },

    async process(leads: readonly Record<string, unknown>[]): Promise<BackgroundUse> {
      const accepted = inserted(leads);
      const relayed = await use(false, () => relay({ Records: accepted }));
      const messages = { enrichment: queues.messages('enrichment'), index: queues.messages('index') };
      const enrichment = await use(true, () => enrich(messages.enrichment));
      const enriched = inserted(
        await Promise.all(leads.map(({ leadId }) => read(tables.leads, String(leadId), 'enrichment'))),
      );
      return {
        relay: relayed,
        enrichment,
        statistics: await use(false, () => stats({ ...shard, Records: accepted })),
        index: await use(true, () => index(messages.index)),
        announcement: await use(false, () => relay({ Records: enriched })),
      };
    },
  };
}

function failIfRetried(response: unknown): void {
  const { batchItemFailures = [] } = Object(response) as { batchItemFailures?: readonly object[] };
  if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} leads failed`);
}

/** An SQS client whose requests arrive nowhere, and the messages in them. */
function recordQueues() {
  let sent: SendMessageBatchCommandInput[] = [];
  const client = new SQSClient({ region: LOCAL_REGION, credentials: LOCAL_CREDENTIALS });
  client.middlewareStack.add(
    () =>
      async ({ input }) => {
        sent.push(input as SendMessageBatchCommandInput);
        return { output: { $metadata: {}, Successful: [], Failed: [] }, response: {} };
      },
    { step: 'initialize', priority: 'high', name: 'recordQueues' },
  );
  const to = (queue: string) => sent.filter(({ QueueUrl }) => QueueUrl === queue);
  return {
    client,
    requests: (queue: string) => to(queue).length,
    messages(queue: string): SQSEvent {
      const entries = to(queue).flatMap(({ Entries = [] }) => Entries);
      const Records = entries.map(({ MessageBody }) => ({
        messageId: randomUUID(),
        body: MessageBody,
        attributes: { ApproximateReceiveCount: '1' },
      }));
      return { Records } as unknown as SQSEvent;
    },
    reset: () => {
      sent = [];
    },
  };
}
