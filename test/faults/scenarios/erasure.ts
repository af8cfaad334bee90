import { marshall } from '@aws-sdk/util-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { makeOutbox } from '#aws/queues.ts';
import { makeRelay } from '#enrichment/relay/handler.ts';
import { makeLeadPages } from '#leads/lead-pages-store.ts';
import { erasePerson } from '#leads/people/erase-person.ts';
import { makePersonFinder } from '#leads/people/person-store.ts';
import { makeReviews } from '#leads/reviews/reviews-store.ts';
import { indexStores, makeIndexLeads } from '#leads/search/index-leads/handler.ts';
import { makeLeadIndex } from '#leads/search/lead-index-store.ts';
import { makeLeadId, toLeadItem } from '#model/lead-item.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import type { StreamShard } from '../double/table.ts';
import type { Item } from '../double/wire-format.ts';
import { follow, invoker, startBackground } from '../service/background.ts';
import { TABLES } from '../service/functions.ts';
import type { World } from '../service/world.ts';
import { CLEAN, type Scenario } from './scenario.ts';

const QUIET = { write: () => undefined };
const POLL_MS = 1_000;
const MAX_CALLS = 40;
const PERSON = 'ada@analytical-engines.co.uk';
const OTHER = CLEAN.replaceAll(PERSON, 'bea@looms.example').replace('Ada', 'Bea');

/** Leads of two people arrive, are indexed and reviewed, while one of them is erased. */
export const erasure: Scenario = {
  name: 'erasure',
  stage(world) {
    const { random } = world;
    world.erasure = { person: PERSON, askedAt: Number.POSITIVE_INFINITY, complete: false };
    let sending = 2 + random.below(3);
    const senders = Array.from({ length: sending }, (_, index) => (index === 1 ? OTHER : CLEAN));
    for (const [index, body] of senders.entries()) {
      world.program(async () => {
        await world.insist(`sender${index}`, { surface: '1a', body });
        sending -= 1;
      });
    }
    let isErased = false;
    const leadsAreIn = () => sending === 0 && isErased;
    const { shards } = world.streams.leads;
    const relayed = new Map(shards.map(({ shardId }) => [shardId, 0]));
    const isRelayed = () =>
      shards.every(({ shardId, records }) => (relayed.get(shardId) ?? 0) >= records.length);
    for (const shard of shards) world.program(() => relayToIndex(world, shard, leadsAreIn, relayed));
    world.program(() => indexUntil(world, () => leadsAreIn() && isRelayed() && world.queue.isEmpty));
    if (random.chance(0.5)) world.program(() => reviewOne(world));
    world.program(async () => {
      while (world.submissions.every(({ responded }) => !responded)) await world.time.sleep(POLL_MS);
      await erase(world, relayed);
      isErased = true;
    });
  },
};

/** Like startBackground, but what is relayed is for the index. */
async function relayToIndex(
  world: World,
  shard: StreamShard,
  isOver: () => boolean,
  relayed: Map<string, number>,
): Promise<void> {
  const relay = invoker(world, 'relay', ({ clients }) =>
    makeRelay({
      enrichment: { send: async () => new Set() },
      dispatch: { send: async () => new Set() },
      index: makeOutbox(clients.queueClient, 'http://double/queue'),
      log: QUIET,
    }),
  );
  await follow(world, shard, isOver, async (batch) => {
    const result = await relay((run) => run({ Records: batch }));
    if (result === 'died' || result instanceof Error) return 0;
    const refused = result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    const first = batch.findIndex(({ dynamodb }) => refused.includes(dynamodb?.SequenceNumber ?? ''));
    const done = first < 0 ? batch.length : first;
    const last = batch[done - 1];
    const to = last ? shard.records.indexOf(last) + 1 : 0;
    relayed.set(shard.shardId, Math.max(relayed.get(shard.shardId) ?? 0, to));
    return done;
  });
}

async function indexUntil(world: World, isOver: () => boolean): Promise<void> {
  const index = invoker(world, 'index', ({ clients: { client }, now }) =>
    makeIndexLeads({ ...indexStores({ client, tables: TABLES, now }), log: QUIET }),
  );
  while (!isOver()) {
    const messages = world.queue.receive(1 + world.random.below(3));
    if (messages.length === 0) {
      await world.time.sleep(POLL_MS);
      continue;
    }
    await world.turn('index', 'gets messages');
    const Records = messages.map(({ messageId, body }) => ({ messageId, body }) as unknown as SQSRecord);
    const result = await index((run) => run({ Records }));
    if (result === 'died' || result instanceof Error) continue;
    const failed = result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    for (const { messageId } of messages) if (!failed.includes(messageId)) world.queue.delete(messageId);
  }
}

/** An owner's verdict on any lead, while it is indexed or erased. */
async function reviewOne(world: World): Promise<void> {
  const { workspaceId } = world.sender;
  const review = invoker(world, 'review', ({ clients: { client }, now }) =>
    makeReviews({ client, tables: TABLES, now }),
  );
  await world.time.sleep(POLL_MS * (1 + world.random.below(5)));
  const records = world.streams.leads.shards.flatMap((shard) => shard.records);
  const theirs = records.find(({ dynamodb }) => dynamodb?.NewImage?.body?.S?.includes(PERSON));
  const leadId = theirs?.dynamodb?.NewImage?.leadId?.S;
  if (leadId === undefined) return;
  await review(async (reviews) => {
    const signal = AbortSignal.timeout(10_000);
    const [lead] = await reviews.read(workspaceId, [leadId], signal);
    if (lead) await reviews.write(lead, 'spam', undefined, signal);
  });
}

/** Asks until the erasure says that it is complete. What waits is known as CloudWatch would tell it. */
async function erase(world: World, relayed: ReadonlyMap<string, number>): Promise<void> {
  const { workspaceId } = world.sender;
  await world.turn('owner', 'asks for the erasure');
  const asked = world.now();
  world.erasure = { person: PERSON, askedAt: asked.at, complete: false };
  const before = world.streams.leads.shards.map(({ shardId, records }) => [shardId, records.length] as const);
  /** When everything that had happened before was on the queue. */
  let relayedAt: number | undefined;
  function isWaiting(): boolean {
    if (before.some(([shardId, length]) => (relayed.get(shardId) ?? 0) < length)) return true;
    relayedAt ??= world.time.now();
    return world.queue.hasOlderThan(relayedAt);
  }
  const context = invoker(world, 'settings', ({ clients: { client }, now }) => ({
    finder: makePersonFinder({ client, tables: TABLES }),
    leads: makeLeadPages({ client, tables: TABLES, now }),
    index: makeLeadIndex({ client, tables: TABLES, now }),
    backlog: {
      before: async () => (isWaiting() ? ('indexing' as const) : undefined),
    },
  }));
  for (let calls = 0; calls < MAX_CALLS; calls += 1) {
    const outcome = await context((made) =>
      erasePerson(made, { workspaceId, email: PERSON, askedAt: asked.at }, AbortSignal.timeout(20_000)),
    );
    if (outcome !== 'died' && !(outcome instanceof Error) && outcome.unfinished === undefined) {
      world.note('owner', 'erasure', 'complete');
      world.erasure = { person: PERSON, askedAt: asked.at, complete: true };
      return;
    }
    await world.time.sleep(POLL_MS * 20);
  }
  if (world.queue.deadLetters.length === 0) throw new Error('The erasure was never complete');
}
const LEADS = 3;
const MAX_TRIES = 8;

/** An owner erases leads while they are enriched. */
export const eraseWhileEnriching: Scenario = {
  name: 'erase-while-enriching',
  stage(world) {
    const { random, time } = world;
    let left = LEADS;
    for (let serial = 1; serial <= LEADS; serial += 1) {
      const leadId = putLead(world);
      world.program(async () => {
        // The stream is polled every second, and so is the queue.
        await time.sleep(random.below(4) * 1_000 + random.below(4));
        await eraseLead(world, leadId);
        left -= 1;
      });
    }
    startBackground(world, () => left === 0);
  },
};

/** Accepted a moment ago. */
function putLead({ double, random, time, sender: { workspaceId, formId } }: World): string {
  const leadId = makeLeadId(time.now(), random.bytes(10));
  const receivedAt = new Date(time.now()).toISOString();
  const score = scoreLead(JSON.parse(CLEAN), undefined);
  const lead = { leadId, workspaceId, formId, surface: '1a' as const, receivedAt, body: CLEAN, ...score };
  double.execute('PutItem', { TableName: 'leads', Item: marshall(toLeadItem(lead)) as unknown as Item });
  return leadId;
}

/** Again and again, until it is acknowledged. */
async function eraseLead(world: World, leadId: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const activity = world.newActivity('eraser');
    await world.turn(activity.name, 'erases a lead');
    const { environment, surroundings } = world.newEnvironment(activity.name);
    const { clients, now } = surroundings;
    const pages = makeLeadPages({ client: clients.client, tables: TABLES, now });
    const result = await environment
      .invoke(activity, () => pages.erase(world.sender.workspaceId, leadId, new AbortController().signal))
      .catch((error: Error) => error);
    if (result !== 'died' && !(result instanceof Error)) return;
  }
}
