import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { makeLeadPages } from '#leads/lead-pages-store.ts';
import { toTombstone } from '#leads/search/index-entry.ts';
import { indexStores } from '#leads/search/index-leads/handler.ts';
import { personKey } from '#leads/search/lead-contact.ts';
import type { Lead } from '#model/lead-item.ts';
import { removeFromIndex } from '#operator/indexed-leads-store.ts';
import { beginOffboarding } from '../stats/stream-records.ts';
import { type Actor, makeActor, orders } from './interleave.ts';
import { leadOf, newOwner, patience } from './lead-fixture.ts';
import { openSearchFixture, person } from './search-fixture.ts';

const fixture = await openSearchFixture();
const { accept, bucketsOf, deliver, entriesOf, messageOf } = fixture;
afterEach(() => void fixture.errors.splice(0));

const BODY = person('Ada Byron', 'Engines', 'ada@engines.example', {
  phone: '+44 20 7946 0123',
  cc: 'charles@engines.example',
});
const adaOf = (owner = newOwner(), n = 1) => leadOf(owner, n, { body: BODY });

const actor = (run: Parameters<typeof makeActor>[1], diesAfter?: number) =>
  makeActor(fixture.writer, run, diesAfter);

const partsWith = (client: DynamoDBDocumentClient) =>
  indexStores({ client, tables: fixture.tables, now: fixture.now });
const writer = (lead: Lead, diesAfter?: number) =>
  actor((client) => deliver([messageOf(lead)], partsWith(client)), diesAfter);
/** As the owner erases a lead. */
const remover = ({ workspaceId, leadId }: Lead, diesAfter?: number) =>
  actor(async (client) => {
    const pages = makeLeadPages({ client, tables: fixture.tables, now: fixture.now });
    await pages.erase(workspaceId, leadId, patience());
    await partsWith(client).index.remove({ workspaceId, leadId }, patience());
  }, diesAfter);

/** Up to the second look at the lead; up to the end, after a read that says nothing of the index. */
const [WRITER_CALLS, REMOVER_CALLS] = [5, 5];

async function inOrder(order: string, actors: { w: Actor; r: Actor }): Promise<void> {
  await actors.r.step();
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
    const left = await raceAll(orders(WRITER_CALLS, REMOVER_CALLS), (lead, order) =>
      inOrder(order, { w: writer(lead), r: remover(lead) }),
    );
    expect(left).toEqual([]);
  });

  test.each(['w', 'r'])('leaves nothing either if %s dies at any point and is run again', async (who) => {
    const some = orders(WRITER_CALLS, REMOVER_CALLS).filter((_, index) => index % 5 === 0);
    const schedules = some.flatMap((order) => [2, 3, 4, 5].map((calls) => `${order} ${calls}`));
    const left = await raceAll(schedules, async (lead, schedule) => {
      const [order = '', calls] = schedule.split(' ');
      const dies = (actor: string) => (actor === who ? Number(calls) : undefined);
      await inOrder(order, { w: writer(lead, dies('w')), r: remover(lead, dies('r')) });
      await (who === 'w' ? writer(lead) : remover(lead)).finish();
    });
    expect(left).toEqual([]);
  });
});

/** Where anything of the workspace is left. */
async function leftOf({ workspaceId }: Lead): Promise<string[]> {
  const buckets = (await fixture.everyEntry()).map(({ bucket }) => `${bucket}`);
  return buckets.filter((bucket) => bucket.includes(workspaceId));
}

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
    await deliver([messageOf(lead, 'lead.handled')]);
    await deliver([messageOf(lead), messageOf(lead, 'lead.enrichment_failed')]);
    expect(await bucketsOf(lead)).toEqual(['erased']);
  });

  test('loses what its tombstone names if a late message finds it', async () => {
    const lead = adaOf();
    await fixture.put([lead]);
    const late = writer(lead);
    await late.step();
    await remover(lead).finish();
    const key = personKey('email', 'ada@engines.example');
    const { workspaceId, leadId } = lead;
    await fixture.putEntry({ ...toTombstone(lead, [key], fixture.now()) });
    await fixture.putEntry({ bucket: `person#${workspaceId}#${key}`, leadId, v: 2 });
    await late.finish();
    expect(await bucketsOf(lead)).toEqual(['erased']);
  });

  test('is listed again if a restore brings it back, and can be erased again', async () => {
    const lead = adaOf();
    await accept([lead]);
    await remover(lead).finish();
    await accept([lead]);
    expect(await bucketsOf(lead)).toHaveLength(4);
    await remover(lead).finish();
    expect(await bucketsOf(lead)).toEqual(['erased']);
  });

  test('with its workspace leaves no entry, whoever wrote last', async () => {
    const lead = adaOf();
    await accept([lead]);
    await fixture.deleteLead(lead);
    await fixture.deleteWorkspace(lead);
    await deliver([messageOf(lead, 'lead.erased')]);
    expect(await entriesOf(lead)).toEqual([]);
    // Offboarding deletes the months last: it finds the entries of other leads by them.
    expect(await leftOf(lead)).toEqual([`months#${lead.workspaceId}`]);

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
    expect(await leftOf(late)).toEqual([`months#${late.workspaceId}`]);

    const last = adaOf();
    await accept([last]);
    await fixture.deleteLead(last);
    await deliver([messageOf(last, 'lead.erased')], {
      index: {
        ...index,
        async remove(...given) {
          await fixture.deleteWorkspace(last);
          return index.remove(...given);
        },
      },
    });
    expect(await leftOf(last)).toEqual([`months#${last.workspaceId}`]);
  });

  test('leaves no tombstone in a workspace that is being offboarded, whose index may be swept already', async () => {
    const lead = adaOf();
    await accept([lead]);
    await fixture.deleteLead(lead);
    await beginOffboarding({ client: fixture.writer, tables: fixture.tables }, lead.workspaceId);
    await deliver([messageOf(lead, 'lead.erased')]);
    // The month stays: offboarding finds the entries of other leads by it, also those that are still being written.
    expect(await leftOf(lead)).toEqual([`months#${lead.workspaceId}`]);
  });

  test('leaves its tombstone in a month that offboarding knows, even if it was never indexed', async () => {
    const lead = adaOf();
    await fixture.put([lead]);
    await fixture.deleteLead(lead);
    await deliver([messageOf(lead, 'lead.erased')]);
    expect((await leftOf(lead)).sort()).toEqual([
      `list#${lead.workspaceId}#2026-03`,
      `months#${lead.workspaceId}`,
    ]);
    const context = { client: fixture.writer, tables: fixture.tables };
    const removed = removeFromIndex(context, lead.workspaceId, patience());
    for await (const count of removed) expect(count).toBeGreaterThanOrEqual(0);
    expect(await leftOf(lead)).toEqual([]);
  });
});
