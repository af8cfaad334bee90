import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { makeLeadPages } from '#leads/lead-pages-store.ts';
import { toTombstone } from '#leads/search/index-entry.ts';
import { makeIndexedLeads } from '#leads/search/index-leads/indexed-leads-store.ts';
import { personKey } from '#leads/search/lead-contact.ts';
import { makeLeadIndex } from '#leads/search/lead-index-store.ts';
import type { Lead } from '#model/lead-item.ts';
import { leadOf, newOwner, patience } from './lead-fixture.ts';
import { openSearchFixture, person } from './search-fixture.ts';

const fixture = await openSearchFixture();
const { accept, bucketsOf, deliver, entriesOf, messageOf } = fixture;
afterAll(fixture.close);
afterEach(() => void fixture.errors.splice(0));

const BODY = person('Ada Byron', 'Engines', 'ada@engines.example', {
  phone: '+44 20 7946 0123',
  cc: 'charles@engines.example',
});
const adaOf = (owner = newOwner(), n = 1) => leadOf(owner, n, { body: BODY });

/** Runs a function whose calls to DynamoDB each wait until it is their turn. It may die before one of them. */
function makeActor(run: (client: DynamoDBDocumentClient) => Promise<unknown>, diesAfter = Infinity) {
  let calls = 0;
  let proceed: (() => void) | undefined;
  let arrived = Promise.withResolvers<void>();
  const send = async (...given: Parameters<DynamoDBDocumentClient['send']>) => {
    if (calls >= diesAfter) throw new Error('the function dies');
    calls += 1;
    await new Promise<void>((resolve) => {
      proceed = resolve;
      arrived.resolve();
    });
    return fixture.writer.send(...given);
  };
  let isDone = false;
  const ended = run({ send } as unknown as DynamoDBDocumentClient)
    .catch(() => undefined)
    .finally(() => {
      isDone = true;
      arrived.resolve();
    });
  return {
    /** One call, up to the beginning of the next. */
    async step(): Promise<void> {
      await arrived.promise;
      if (isDone) return;
      arrived = Promise.withResolvers();
      proceed?.();
      await arrived.promise;
    },
    async finish(): Promise<void> {
      while (!isDone) await this.step();
      await ended;
    },
  };
}

const partsWith = (client: DynamoDBDocumentClient) => {
  const context = { client, tables: fixture.tables, now: fixture.now };
  return { leads: makeIndexedLeads(context), index: makeLeadIndex(context) };
};
const writer = (lead: Lead, diesAfter?: number) =>
  makeActor((client) => deliver([messageOf(lead)], partsWith(client)), diesAfter);
/** As the owner erases a lead. */
const remover = ({ workspaceId, leadId }: Lead, diesAfter?: number) =>
  makeActor(async (client) => {
    const pages = makeLeadPages({ client, tables: fixture.tables, now: fixture.now });
    await pages.erase(workspaceId, leadId, patience());
    await partsWith(client).index.remove({ workspaceId, leadId }, patience());
  }, diesAfter);

/** All orders of so many steps of two. */
function orders(first: number, second: number): string[] {
  if (first === 0 || second === 0) return ['w'.repeat(first) + 'r'.repeat(second)];
  return [
    ...orders(first - 1, second).map((rest) => `w${rest}`),
    ...orders(first, second - 1).map((rest) => `r${rest}`),
  ];
}

async function inOrder(
  order: string,
  actors: { w: Pick<ReturnType<typeof makeActor>, 'step' | 'finish'>; r: ReturnType<typeof makeActor> },
) {
  for (const who of order) await actors[who as 'w' | 'r'].step();
  await actors.w.finish();
  await actors.r.finish();
}

/** Leads of one workspace whose month is known, so that every writer makes the same calls. */
async function raceAll(schedules: readonly string[], run: (lead: Lead, order: string) => Promise<void>) {
  const owner = newOwner();
  await accept([adaOf(owner, 0)]);
  const pending = schedules.map((order, n) => ({ order, lead: adaOf(owner, n + 1) }));
  await fixture.put(pending.map(({ lead }) => lead));
  const leads = new Map(pending.map(({ lead, order }) => [lead.leadId, order]));
  const work = async () => {
    for (let next = pending.pop(); next; next = pending.pop()) await run(next.lead, next.order);
  };
  await Promise.all(Array.from({ length: 8 }, work));
  const entries = await fixture.everyEntry();
  const left = entries.filter(({ leadId, erasedAt }) => leads.has(leadId as string) && !erasedAt);
  return left.map(({ bucket, leadId }) => `${leads.get(leadId as string)}: ${bucket}`);
}

describe('a lead that is erased while it is indexed', () => {
  test('leaves nothing but a tombstone, in whichever order the calls happen', async () => {
    const left = await raceAll(orders(6, 5), async (lead, order) => {
      await inOrder(order, { w: writer(lead), r: remover(lead) });
    });
    expect(left).toEqual([]);
  });

  test('leaves nothing either if functions die at any point, and messages come again', async () => {
    const deaths = [1, 2, 3, 4, 5].flatMap((w) => [1, 2, 3, 4].map((r) => [w, r] as const));
    const some = orders(5, 4).filter((_, index) => index % 9 === 0);
    const schedules = some.flatMap((order) => deaths.map((death) => `${order} ${death.join(' ')}`));
    const left = await raceAll(
      schedules.filter((_, index) => index % 3 === 0),
      async (lead, schedule) => {
        const [order = '', w, r] = schedule.split(' ');
        await inOrder(order, { w: writer(lead, Number(w)), r: remover(lead, Number(r)) });
        // Whoever asked for the erasure asks again, and the queue delivers the message again.
        await remover(lead).finish();
        await deliver([messageOf(lead)]);
      },
    );
    expect(left).toEqual([]);
  });

  test('loses what a writer adds that has died after the lead was erased, once its message comes again', async () => {
    const lead = adaOf();
    await fixture.put([lead]);
    const late = makeActor((client) => deliver([messageOf(lead)], partsWith(client)), 5);
    // The lead, the month twice, the list entry.
    for (let call = 0; call < 4; call += 1) await late.step();
    await remover(lead).finish();
    await late.finish();
    expect((await bucketsOf(lead)).length).toBeGreaterThan(1);
    await deliver([messageOf(lead)]);
    expect(await bucketsOf(lead)).toEqual(['erased']);
  });
});

describe('a lead that is gone', () => {
  test('has a tombstone without personal text for 15 days', async () => {
    const lead = adaOf();
    await accept([lead]);
    await fixture.deleteLead(lead);
    expect(await deliver([messageOf(lead, 'lead.erased')])).toEqual([]);
    const entries = await entriesOf(lead);
    expect(entries).toHaveLength(1);
    const [{ keys, ...tombstone } = {}] = entries;
    expect((keys as Uint8Array).byteLength).toBe(3 * 12);
    expect(tombstone).toEqual({
      bucket: `list#${lead.workspaceId}#2026-03`,
      leadId: lead.leadId,
      erasedAt: new Date(fixture.now()).toISOString(),
      expiresAt: Math.ceil(fixture.now() / 1000) + 15 * 24 * 60 * 60,
      v: 2,
    });
  });

  test('stays gone if its messages come in the wrong order, or again', async () => {
    const lead = adaOf();
    await accept([adaOf({ ...lead })]);
    await deliver([messageOf(lead, 'lead.erased'), messageOf(lead), messageOf(lead, 'lead.enriched')]);
    await deliver([messageOf(lead), messageOf(lead, 'lead.enrichment_failed')]);
    expect(await bucketsOf(lead)).toEqual(['erased']);
  });

  test('stays gone though the lead itself came back, and loses what its tombstone names', async () => {
    const lead = adaOf();
    await fixture.put([lead]);
    const key = personKey('email', 'ada@engines.example');
    const { workspaceId, leadId } = lead;
    await fixture.putEntry({ ...toTombstone(lead, [key], fixture.now()) });
    await fixture.putEntry({ bucket: `person#${workspaceId}#${key}`, leadId, v: 2 });
    expect(await deliver([messageOf(lead)])).toEqual([]);
    expect(await bucketsOf(lead)).toEqual(['erased']);
  });

  test('with its workspace leaves nothing at all, whoever wrote last', async () => {
    const lead = adaOf();
    await accept([lead]);
    await fixture.deleteLead(lead);
    await fixture.deleteWorkspace(lead);
    await deliver([messageOf(lead, 'lead.erased')]);
    expect(await entriesOf(lead)).toEqual([]);

    const late = adaOf();
    await fixture.put([late]);
    const { index } = fixture.dependencies;
    await deliver([messageOf(late)], {
      index: {
        ...index,
        async write(...given) {
          await fixture.deleteLead(late);
          await fixture.deleteWorkspace(late);
          return index.write(...given);
        },
      },
    });
    expect(await entriesOf(late)).toEqual([]);
  });

  test('loses its entries if removing was interrupted', async () => {
    const lead = adaOf();
    await accept([lead]);
    await remover(lead, 4).finish();
    expect((await bucketsOf(lead)).length).toBeGreaterThan(1);
    expect(await deliver([messageOf(lead, 'lead.erased')])).toEqual([]);
    expect(await bucketsOf(lead)).toEqual(['erased']);
  });
});
