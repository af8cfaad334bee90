import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { openOwnerFixture } from '../owner-api/owner-fixture.ts';
import type { Sender } from '../submission/submission-fixture.ts';
import { indexNow } from './lead-fixture.ts';

const fixture = openOwnerFixture();
const { lead, accept, indexLead } = indexNow(fixture);
afterEach(() => {
  fixture.backlog.waiting = undefined;
});

const AGENT = 'agent@agency-north.de';
const CARLA = 'carla@home-garden.de';
const SPAM = { message: 'Buy backlinks now!!! Rank #1 on Google, casino viagra http://spam.top' };

const idOf = ({ submissionId }: { submissionId: string }) => submissionId;

/** Calls again if there is more, as every client must. */
async function erase(sender: Sender, email: string, mentioned?: 'erase' | 'keep', cursor?: string) {
  const erased: string[] = [];
  for (let next = cursor; ; ) {
    const request = { body: { email, mentioned, cursor: next } };
    const { status, body } = await fixture.ownerOf(sender.workspaceId).post('/people/erase', request);
    expect(status).toBe(200);
    erased.push(...body.erased.map(idOf));
    if (body.reason !== 'more') return { ...body, erased, mentioned: body.mentioned.map(idOf) };
    next = body.cursor;
  }
}

const exists = async (sender: Sender, leadId: string) =>
  (await fixture.ownerOf(sender.workspaceId).get(`/leads/${leadId}`)).status === 200;

/** Everything that any entry says of a lead: a scan decides. */
async function entriesOf(leadId: string): Promise<Record<string, unknown>[]> {
  const scan = { TableName: fixture.stack.tables.leadIndex, ConsistentRead: true };
  const entries: Record<string, unknown>[] = [];
  for await (const { Items = [] } of paginateScan({ client: fixture.observer }, scan)) entries.push(...Items);
  return entries.filter((entry) => entry.leadId === leadId);
}

async function senderWithRoles(): Promise<Sender> {
  const sender = await fixture.newSender();
  const fields = [{ key: 'customer', role: 'email' }];
  const owner = fixture.ownerOf(sender.workspaceId);
  expect((await owner.patch(`/forms/${sender.formId}`, { body: { fields } })).status).toBe(200);
  return sender;
}

describe('a form that says which field has the email address', () => {
  test('decides whose lead it is, also if the lead is not clean', async () => {
    const sender = await senderWithRoles();
    const hers = await lead(sender, { ...SPAM, customer: CARLA, email: AGENT });
    const others = [
      await lead(sender, { ...SPAM, customer: 'dora@field-works.de', email: AGENT }),
      await lead(sender, { customer: 'emil@field-works.de', email: AGENT }),
    ];
    const owner = fixture.ownerOf(sender.workspaceId);
    expect((await owner.get(`/leads/${hers}`)).body).toMatchObject({ clean: false });

    expect(await erase(sender, AGENT)).toMatchObject({
      erased: [],
      mentioned: [...others].reverse().concat(hers),
      complete: false,
      reason: 'mentioned',
    });
    expect(await erase(sender, CARLA)).toEqual({ erased: [hers], mentioned: [], complete: true });
    expect(await exists(sender, hers)).toBe(false);
    for (const leadId of others) expect(await exists(sender, leadId)).toBe(true);
  });

  test('decides again with a review, which rewrites the entries', async () => {
    const sender = await fixture.newSender();
    const leadId = await lead(sender, { ...SPAM, customer: CARLA, email: AGENT });
    expect(await erase(sender, CARLA)).toMatchObject({ erased: [], mentioned: [leadId] });
    const owner = fixture.ownerOf(sender.workspaceId);
    const fields = [{ key: 'customer', role: 'email' }];
    await owner.patch(`/forms/${sender.formId}`, { body: { fields } });
    await owner.post(`/leads/${leadId}/review`, { body: { verdict: 'good' } });
    await indexLead(sender, leadId, 'lead.reviewed');
    const { body: list } = await owner.get('/leads', { query: { q: CARLA } });
    expect(list.leads).toMatchObject([{ submissionId: leadId, email: CARLA }]);
    expect(await erase(sender, AGENT)).toMatchObject({ erased: [], mentioned: [leadId] });
    expect(await erase(sender, CARLA)).toMatchObject({ erased: [leadId], complete: true });
    expect(await entriesOf(leadId)).toMatchObject([{ erasedAt: expect.any(String) }]);
  });
});

describe('a lead that mentions somebody', () => {
  const MENTIONS = {
    email: 'bob@field-works.de',
    referrer: CARLA.toUpperCase(),
    details: { rows: [{ contact: { people: [`Carla <${CARLA}>`, AGENT] } }] },
  };

  test('is theirs only if the owner says so', async () => {
    const sender = await fixture.newSender();
    const bobs = await lead(sender, MENTIONS);
    const own = await lead(sender, { email: CARLA });
    const first = await erase(sender, CARLA);
    expect(first).toMatchObject({ erased: [own], mentioned: [bobs], complete: false, reason: 'mentioned' });
    expect(JSON.stringify(first)).not.toContain('carla');
    expect(await erase(sender, CARLA, 'keep', first.cursor)).toEqual({
      erased: [],
      mentioned: [],
      complete: true,
    });
    expect(await exists(sender, bobs)).toBe(true);
    expect(await erase(sender, AGENT)).toMatchObject({ mentioned: [bobs], complete: false });
    expect(await erase(sender, AGENT, 'erase')).toEqual({ erased: [bobs], mentioned: [], complete: true });
    expect(await exists(sender, bobs)).toBe(false);
    expect(await entriesOf(bobs)).toMatchObject([{ erasedAt: expect.any(String) }]);
  });

  test('is no related lead, and no lead of theirs to export', async () => {
    const sender = await fixture.newSender();
    await lead(sender, MENTIONS);
    const own = await lead(sender, { email: CARLA });
    const owner = fixture.ownerOf(sender.workspaceId);
    expect((await owner.get(`/leads/${own}/related`)).body.leads).toEqual([]);
    const { text } = await owner.post('/people/export', { body: { email: CARLA } });
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).submission_id),
    ).toEqual([own]);
  });
});

describe('an erasure is not complete', () => {
  test.each(['dead_letters', 'indexing'] as const)('while the index says %s', async (reason) => {
    const sender = await fixture.newSender();
    const leadId = await lead(sender, { email: CARLA });
    fixture.backlog.waiting = reason;
    const first = await erase(sender, CARLA);
    expect(first).toMatchObject({ erased: [leadId], complete: false, reason, cursor: expect.any(String) });
    // What was on its way arrives.
    const late = await lead(sender, { email: CARLA });
    fixture.backlog.waiting = undefined;
    const second = await erase(sender, CARLA, undefined, first.cursor);
    expect(second).toEqual({ erased: [late], mentioned: [], complete: true });
  });

  test('while leads are only in the index of the version before, and erasing one of them leaves nothing there', async () => {
    const sender = await fixture.newSender();
    const { workspaceId } = sender;
    const leadId = await accept(sender, { email: CARLA, name: 'Carla' });
    const former = { leadId, words: ` carla ${CARLA} `, v: 1 };
    for (const Item of [
      { ...former, bucket: `list#${workspaceId}`, buckets: ['car', 'hom'], email: CARLA },
      ...['car', 'hom'].map((letters) => ({ ...former, bucket: `${workspaceId}#${letters}` })),
    ]) {
      await fixture.observer.send(new PutCommand({ TableName: fixture.stack.tables.leadIndex, Item }));
    }
    const unknown = await erase(sender, 'nobody@home-garden.de');
    expect(unknown).toMatchObject({ erased: [], complete: false, reason: 'indexing' });
    expect((await fixture.ownerOf(workspaceId).delete(`/leads/${leadId}`)).status).toBe(204);
    expect(await entriesOf(leadId)).toMatchObject([{ erasedAt: expect.any(String) }]);
    expect(await erase(sender, CARLA)).toMatchObject({ complete: true });
  });
});
