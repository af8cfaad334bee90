import { marshall } from '@aws-sdk/util-dynamodb';
import { makeOutbox } from '#aws/queues.ts';
import { makeLeadPages } from '#leads/lead-pages-store.ts';
import { erasePerson } from '#leads/people/erase-person.ts';
import { makePersonFinder } from '#leads/people/person-store.ts';
import { makeReviews } from '#leads/reviews/reviews-store.ts';
import { makeLeadIndex } from '#leads/search/lead-index-store.ts';
import { makeLeadId, toLeadItem } from '#model/lead-item.ts';
import { makeLeadsToIndex } from '#operator/indexed-leads-store.ts';
import { makeRestorer } from '#operator/restore-store.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import { type Item, plainValues } from '../double/wire-format.ts';
import { leadIdsOf, storedFromNowOn } from '../invariants/nothing-is-left.ts';
import {
  type Background,
  INDEX_URL,
  insistOn,
  invoker,
  POLL_MS,
  startBackground,
} from '../service/background.ts';
import { TABLES } from '../service/functions.ts';
import type { World } from '../service/world.ts';
import { CLEAN, type Scenario } from './scenario.ts';

const MAX_CALLS = 120;
/** By when a request arrives whose caller has given up. */
export const LATE_MS = 5_000;
export const PERSON = 'ada@analytical-engines.co.uk';
export const ADA = CLEAN.replace(' }', ',"phone":"+44 20 7946 0958" }');
const OTHER = CLEAN.replaceAll(PERSON, 'bea@looms.example').replace('Ada', 'Bea');

/**
 * Leads of two people arrive, are enriched, counted and indexed. Some are reviewed, expire, are erased one by one and
 * restored, or indexed once more. Meanwhile one of the two people is erased.
 */
export const erasure: Scenario = {
  name: 'erasure',
  lateWithinMilliseconds: LATE_MS,
  stage(world) {
    const { random } = world;
    world.erasure = { person: PERSON, leadIds: new Set(), complete: false };
    let busy = 0;
    const start = (work: () => Promise<unknown>) => {
      busy += 1;
      world.program(async () => {
        await work();
        busy -= 1;
      });
    };
    const senders = 2 + random.below(3);
    for (let serial = 0; serial < senders; serial += 1) {
      const sent = { surface: '1a' as const, body: serial === 1 ? OTHER : ADA };
      const [client, key] = [`sender${serial}`, `order-${serial}`];
      // Another attempt has another body, so a key is sent only once.
      start(() => (random.chance(0.2) ? world.submit(client, { ...sent, key }) : world.insist(client, sent)));
    }
    if (random.chance(0.5)) start(() => reviewOne(world));
    if (random.chance(0.5)) start(() => reindex(world));
    let restoring = random.chance(0.3);
    if (restoring) {
      start(async () => {
        await eraseAndRestore(world);
        restoring = false;
      });
    }
    const background: Background = startBackground(world, () => busy === 0, { indexes: true });
    if (random.chance(0.3)) {
      putLead(world, ADA, Math.floor(world.time.now() / 1_000) + random.below(10));
      world.program(() => expire(world, background));
    }
    start(async () => {
      const isFirstIn = () => world.submissions.some(({ responded }) => responded);
      while (!isFirstIn() || restoring) await world.time.sleep(POLL_MS);
      await erase(world, background);
    });
  },
};

/** An owner's verdict on a lead, and perhaps its withdrawal, while it is enriched, indexed or erased. */
export async function reviewOne(world: World): Promise<void> {
  const { workspaceId } = world.sender;
  let leadId: string | undefined;
  for (const verdict of world.random.chance(0.5) ? (['spam', null] as const) : (['spam'] as const)) {
    await world.time.sleep(POLL_MS * world.random.below(5) + world.random.below(30));
    leadId ??= world.random.pick(leadIdsOf(world));
    if (leadId === undefined) return;
    const reviewed = leadId;
    await insistOn(
      world,
      'review',
      ({ clients: { client }, now }) => makeReviews({ client, tables: TABLES, now }),
      async (reviews) => {
        const signal = AbortSignal.timeout(10_000);
        const [lead] = await reviews.read(workspaceId, [reviewed], signal);
        if (lead) await reviews.write(lead, { verdict, by: 'member:mem_1' }, undefined, signal);
      },
    );
  }
}

/** `leadctl leads reindex` */
export async function reindex(world: World): Promise<void> {
  await world.time.sleep(POLL_MS * world.random.pick([1, 2, 3, 30]));
  await insistOn(
    world,
    'reindex',
    ({ clients: { client, queueClient } }) => ({
      leads: makeLeadsToIndex({ client, tables: TABLES }),
      outbox: makeOutbox(queueClient, INDEX_URL),
    }),
    async ({ leads, outbox }) => {
      for await (const messages of leads.messages(world.sender.formId, new AbortController().signal)) {
        if ((await outbox.send(messages)).size > 0) throw new Error('The queue refused messages');
      }
    },
  );
}

/** Leads of a copy are erased, and come back from it. */
async function eraseAndRestore(world: World): Promise<void> {
  const { random, time } = world;
  await time.sleep(POLL_MS * random.below(20));
  const copy = world.double.table('leads').all().map(plainValues);
  const takenAt = time.now();
  await time.sleep(POLL_MS * random.below(20));
  for (const { leadId, part } of copy) {
    if (part === 'lead' && random.chance(0.6)) await eraseLead(world, String(leadId), anyEraser(world));
  }
  world.restored = true;
  await insistOn(
    world,
    'restore',
    ({ clients: { client }, now }) => makeRestorer({ client, tables: TABLES, now }),
    (restorer) =>
      restorer.put(
        ...(['leads', copy, takenAt, { restored: 0, present: 0, expired: 0 }] as const),
        new AbortController().signal,
      ),
  );
  await time.sleep(LATE_MS);
}

export const anyEraser = ({ random }: World) => random.pick(['leadctl', 'owner'] as const);

/** DynamoDB deletes what has expired item by item, in any order. */
async function expire(world: World, background: Background): Promise<void> {
  const { double, random, time } = world;
  const expired = () =>
    ['leads', 'leadIndex'].flatMap((table) =>
      double
        .table(table)
        .all()
        .filter(({ expiresAt }) => Number(expiresAt?.N ?? Number.POSITIVE_INFINITY) * 1_000 <= time.now())
        .map((item) => ({ table, item })),
    );
  while (!background.isDone() || expired().length > 0) {
    await time.sleep(POLL_MS * (1 + random.below(10)));
    await world.turn('ttl', 'deletes what has expired');
    const all = expired();
    if (all.length === 0) continue;
    const { table, item } = random.pick(all);
    const keys = double.table(table).definition.keys.map((name) => [name, item[name]]);
    double.execute('DeleteItem', { TableName: table, Key: Object.fromEntries(keys) });
  }
}

/** Asks until the erasure says that it is complete. What waits is known as CloudWatch would tell it. */
async function erase(world: World, { relayed }: Background): Promise<void> {
  const { workspaceId } = world.sender;
  await world.turn('owner', 'asks for the erasure');
  const askedAt = world.time.now();
  const leadIds = new Set(leadIdsOf(world, (body) => body.includes(PERSON)));
  world.erasure = { person: PERSON, leadIds, complete: false };
  const before = world.streams.leads.shards.map(({ shardId, records }) => [shardId, records.length] as const);
  /** When everything that had happened before was on the queue, and since when nothing of it waits. */
  let relayedAt: number | undefined;
  let quietSince: number | undefined;
  function isWaiting(): boolean {
    const now = world.time.now();
    const isRelayed = before.every(([shardId, length]) => (relayed.get(shardId) ?? 0) >= length);
    if (isRelayed) relayedAt ??= now;
    if (relayedAt === undefined || world.indexQueue.hasOlderThan(relayedAt)) quietSince = undefined;
    else quietSince ??= now;
    return quietSince === undefined || now < quietSince + LATE_MS;
  }
  const context = invoker(world, 'settings', ({ clients: { client }, now }) => ({
    finder: makePersonFinder({ client, tables: TABLES }),
    leads: makeLeadPages({ client, tables: TABLES, now }),
    index: makeLeadIndex({ client, tables: TABLES, now }),
    backlog: {
      before: async () =>
        world.indexQueue.deadLetters.length > 0
          ? ('dead_letters' as const)
          : isWaiting()
            ? ('indexing' as const)
            : undefined,
    },
  }));
  for (let calls = 0; calls < MAX_CALLS; calls += 1) {
    const outcome = await context((made) =>
      erasePerson(made, { workspaceId, email: PERSON, askedAt }, AbortSignal.timeout(20_000)),
    );
    if (outcome !== 'died' && !(outcome instanceof Error) && outcome.unfinished === undefined) {
      world.note('owner', 'erasure', 'complete');
      world.erasure = { person: PERSON, leadIds, complete: true, storedSince: storedFromNowOn(world) };
      return;
    }
    await world.time.sleep(world.random.pick([300, 3_000, 20_000]));
  }
  if (world.indexQueue.deadLetters.length === 0) throw new Error('The erasure was never complete');
}

/** Accepted a moment ago. */
export function putLead(world: World, body: string, expiresAt?: number): string {
  const { double, random, time, sender } = world;
  const leadId = makeLeadId(time.now(), random.bytes(10));
  const receivedAt = new Date(time.now()).toISOString();
  const { workspaceId, formId } = sender;
  const lead = { leadId, workspaceId, formId, surface: '1a' as const, receivedAt, body };
  const scored = { ...lead, ...scoreLead(JSON.parse(body), undefined), ...(expiresAt && { expiresAt }) };
  double.execute('PutItem', { TableName: 'leads', Item: marshall(toLeadItem(scored)) as unknown as Item });
  return leadId;
}

/** `leadctl` leaves the index to the relay; the settings API removes the entries itself as well. */
export async function eraseLead(world: World, leadId: string, by: 'leadctl' | 'owner'): Promise<void> {
  const { workspaceId } = world.sender;
  const { signal } = new AbortController();
  await insistOn(
    world,
    'eraser',
    ({ clients: { client }, now }) => ({
      pages: makeLeadPages({ client, tables: TABLES, now }),
      index: makeLeadIndex({ client, tables: TABLES, now }),
    }),
    async ({ pages, index }) => {
      const isErased = await pages.erase(workspaceId, leadId, signal);
      if (isErased && by === 'owner')
        await index.remove({ workspaceId, leadId }, signal).catch(() => undefined);
    },
  );
}
