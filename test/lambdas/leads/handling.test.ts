import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { toLeadItem } from '#model/lead-item.ts';
import { localStack } from '../../local-stack.ts';
import { until } from '../../until.ts';
import { type Owner, openOwnerFixture } from '../owner-api/owner-fixture.ts';
import { type Sender, submissionId } from '../submission/submission-fixture.ts';
import { indexNow, leadOf } from './lead-fixture.ts';

const NOON = '2026-11-15T12:00:00.000Z';
const fixture = openOwnerFixture(Date.parse(NOON), undefined, localStack());
const ingest = fixture.newEnvironment();
const { indexLead } = indexNow(fixture);

let sender: Sender;
let owner: Owner;
beforeEach(async () => {
  sender = await fixture.newSender();
  owner = fixture.ownerOf(sender.workspaceId);
  fixture.clock.now = Date.parse(NOON) - 1;
});

const ADA = { actor: 'user:mem_ada' };
const GRACE = { actor: 'user:mem_grace' };
const PROGRAM = { actor: 'key:key_1', scopes: 'leads:read leads:write' };

const LEAD = { name: 'Ada Byron', email: 'ada@engines.example', message: 'We need forty engines.' };

async function send(lead: object = LEAD): Promise<string> {
  // Ids of one millisecond are in no order.
  fixture.clock.now += 1;
  const leadId = submissionId(await ingest.server(sender, { body: JSON.stringify(lead) }));
  await indexLead(sender, leadId);
  return leadId;
}

const open = (ids: string[], authorized = ADA) =>
  owner.post('/leads/opened', { body: { submissionIds: ids }, authorized });
const handle = (ids: string[], more: object = { handled: true }, authorized = ADA) =>
  owner.post('/leads/handled', { body: { submissionIds: ids, ...more }, authorized });
const read = async (leadId: string, authorized = ADA) =>
  (await owner.get(`/leads/${leadId}`, { authorized })).body;
const list = async (query: Record<string, string> = {}, authorized = ADA) =>
  (await owner.get('/leads', { query, authorized })).body.leads;

describe('a lead', () => {
  test('is new until somebody opens it, and the first one stays', async () => {
    const leadId = await send();
    expect(await read(leadId)).toMatchObject({ status: 'new' });
    expect(await read(leadId)).not.toHaveProperty('opened');
    expect((await open([leadId])).body).toEqual({ opened: [leadId], notFound: [] });
    fixture.clock.now += 1_000;
    expect((await open([leadId], GRACE)).body).toEqual({ opened: [leadId], notFound: [] });
    const opened = { at: NOON, by: 'you', byId: 'mem_ada' };
    expect(await read(leadId)).toMatchObject({ status: 'open', opened });
    expect(await read(leadId, GRACE)).toMatchObject({ opened: { ...opened, by: 'member' } });
  });

  test('is handled with a note, which changes alone, until it is to do again', async () => {
    const leadId = await send();
    expect((await handle([leadId], { handled: true, note: '  Called back\n' })).body).toEqual({
      changed: [leadId],
      notFound: [],
    });
    const handled = { at: NOON, by: 'you', byId: 'mem_ada', note: 'Called back' };
    expect(await read(leadId)).toMatchObject({ status: 'handled', handled });
    fixture.clock.now += 60_000;
    await handle([leadId], { handled: true }, GRACE);
    expect((await read(leadId)).handled).toEqual(handled);
    await handle([leadId], { handled: true, note: 'Sent an offer' }, GRACE);
    expect((await read(leadId)).handled).toEqual({ ...handled, note: 'Sent an offer' });
    expect((await handle([leadId], { handled: true, note: 'x'.repeat(501) })).status).toBe(400);
    expect((await handle([leadId], { handled: false, note: 'x' })).status).toBe(400);
    await handle([leadId], { handled: true, note: null }, GRACE);
    expect((await read(leadId)).handled).not.toHaveProperty('note');

    await handle([leadId], { handled: false }, GRACE);
    const again = await read(leadId);
    expect(again).toMatchObject({ status: 'open', opened: { by: 'you' } });
    expect(again).not.toHaveProperty('handled');
    await handle([leadId], { handled: true }, PROGRAM);
    expect((await read(leadId)).handled).toMatchObject({ by: 'key', byId: 'key_1' });
  });

  test('is exported with its note, and erased with it', async () => {
    const leadId = await send();
    await handle([leadId], { handled: true, note: 'zqx private' });
    const { text } = await owner.post('/people/export', { body: { email: LEAD.email } });
    expect(JSON.parse(text)).toMatchObject({ status: 'handled', handled: { note: 'zqx private' } });
    const csv = await owner.get(`/forms/${sender.formId}/leads/export`, {
      query: { columns: 'handling,handled_at,handling_note' },
    });
    expect(csv.text).toContain(`handled,${NOON},zqx private`);
    await owner.delete(`/leads/${leadId}`);
    expect((await handle([leadId])).body).toEqual({ changed: [], notFound: [leadId] });
    expect((await owner.get(`/leads/${leadId}`)).status).toBe(404);
  });

  test('that two handle at once has one of the notes, and a verdict given meanwhile stays', async () => {
    const leadId = await send();
    await Promise.all([
      handle([leadId], { handled: true, note: 'one' }),
      handle([leadId], { handled: true, note: 'two' }, GRACE),
      owner.post(`/leads/${leadId}/review`, { body: { verdict: 'good' } }),
      open([leadId], GRACE),
    ]);
    expect(await read(leadId)).toMatchObject({
      status: 'handled',
      handled: { note: expect.stringMatching(/^(one|two)$/) },
      review: { verdict: 'good' },
    });
  });

  test('that the workspace does not have, or that has expired, stays as it is', async () => {
    const other = await fixture.newSender();
    const theirs = submissionId(await ingest.server(other));
    const expired = leadOf(sender, 1, { expiresAt: Math.floor(Date.parse(NOON) / 1000) - 1 });
    const Item = toLeadItem(expired);
    await fixture.observer.send(new PutCommand({ TableName: fixture.stack.tables.leads, Item }));
    const ids = [theirs, expired.leadId, '019a0000-0000-7000-8000-000000000000', 'no id'];
    expect((await open(ids)).body).toEqual({ opened: [], notFound: ids });
    for (const handled of [true, false]) {
      expect((await handle(ids, { handled })).body).toEqual({ changed: [], notFound: ids });
    }
    const { body } = await fixture.ownerOf(other.workspaceId).get(`/leads/${theirs}`);
    expect(body.status).toBe('new');
  });
});

describe('the activity log', () => {
  const logged = async () => (await owner.get('/activity')).body.activity;

  test('says who handled which leads, and never what the note says', async () => {
    const [one, two] = [await send(), await send()];
    await open([one]);
    expect(await logged()).toEqual([]);
    await handle([one], { handled: true, note: 'zqx private' });
    fixture.clock.now += 1;
    await handle([one, two, 'nobody'], { handled: false }, GRACE);
    const entries = await logged();
    expect(entries).toMatchObject([
      {
        actor: { id: 'mem_grace' },
        action: 'POST /settings/leads/handled',
        targets: { leadIds: `${one} ${two}`, handled: 'false' },
      },
      { actor: { id: 'mem_ada' }, targets: { leadId: one, handled: 'true' } },
    ]);
    expect(JSON.stringify(entries) + fixture.logLines.join()).not.toContain('zqx');
  });
});

describe('the list', () => {
  test('shows status, verdict, who decided, and the first words, as soon as they are stored', async () => {
    const leadId = await send();
    expect(await list()).toMatchObject([{ status: 'new', preview: 'We need forty engines.' }]);
    await handle([leadId], { handled: true, note: 'Called' });
    await owner.post(`/leads/${leadId}/review`, { body: { verdict: 'good' }, authorized: GRACE });
    expect(await list()).toMatchObject([
      {
        status: 'handled',
        handled: { at: NOON, by: 'you', note: 'Called' },
        review: { verdict: 'good', at: NOON, by: 'member' },
      },
    ]);
  });

  test('is filtered by status and verdict, and counted, once the stream has told it', async () => {
    const [fresh, opened, handled] = [await send(), await send(), await send()];
    await open([opened]);
    await handle([handled]);
    await owner.post('/leads/review', { body: { verdict: 'good', submissionIds: [opened] } });
    const idsOf = async (query: Record<string, string>) =>
      (await list(query)).map(({ submissionId: id }: { submissionId: string }) => id);
    await until(
      () => idsOf({ reviewed: 'true', status: 'todo' }),
      (ids) => ids.length === 1,
    );
    await until(
      () => idsOf({ status: 'handled' }),
      (ids) => ids.length === 1,
    );
    expect(await idsOf({ status: 'new' })).toEqual([fresh]);
    expect(await idsOf({ status: 'todo' })).toEqual([opened, fresh]);
    expect(await idsOf({ status: 'handled' })).toEqual([handled]);
    expect(await idsOf({ reviewed: 'false' })).toEqual([handled, fresh]);
    expect(await idsOf({ ids: `${handled},${fresh}`, status: 'todo' })).toEqual([fresh]);
    const count = async (query: Record<string, string>) => (await owner.get('/leads/count', { query })).body;
    expect(await count({ status: 'todo' })).toEqual({ count: 2, exact: true });
    expect(await count({ status: 'new', q: 'nobody' })).toEqual({ count: 0, exact: true });
  });
});

describe('an export of what is listed', () => {
  const NOTE = 'Called back; =cmd';

  test('has the contact first, then what was done, and a name with workspace and date', async () => {
    const first = await send({
      ...LEAD,
      company: 'Analytical Engines',
      phone: '+44 20 7946 0123',
      budget: 5,
    });
    await send({ name: 'Grace', email: 'grace@navy.example', message: 'Hello' });
    await handle([first], { handled: true, note: NOTE });
    const { status, headers, text } = await owner.get('/leads/export', { query: { q: 'engines' } });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="[a-z0-9-]+-leads-2026-11-15\.csv"$/,
      ),
      'x-leads': '1',
    });
    const [head, line, end] = text.slice(1).split('\r\n');
    expect(head).toMatch(
      /^name,company,email,phone,message,received_at,form_id,form_name,score,grade,clean,review,status,handled_at,note,submission_id,enrichment_first_name,/,
    );
    expect(head).toMatch(/,body\.name,body\.email,body\.message,body\.company,body\.phone,budget,other$/);
    expect(line).toContain(
      'Ada Byron,Analytical Engines,ada@engines.example,+44 20 7946 0123,We need forty engines.,',
    );
    expect(line).toContain(`,handled,2026-11-15T12:00:00.001Z,"Called back;' =cmd",${first},`);
    expect(line).toContain(`,${sender.formId},Contact,`);
    expect(end).toBe('');
  });

  test('takes columns and a selection, and continues where a page has ended', async () => {
    const ids = [await send(), await send(), await send()];
    const columns = 'submission_id,status,note';
    const query = { columns, ids: `${ids[0]},${ids[2]}` };
    const { text } = await owner.get('/leads/export', { query });
    expect(text.slice(1).split('\r\n')).toEqual([columns, `${ids[2]},new,`, `${ids[0]},new,`, '']);
    const lines = await owner.get('/leads/export', { query: { format: 'ndjson', status: 'todo' } });
    expect(lines.headers['x-leads']).toBe('3');
    expect(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).submission_id),
    ).toEqual(ids.toReversed());
    const unknown = { query: { columns: 'submission_id,nobody_has_it' }, beyondSchema: true };
    expect((await owner.get('/leads/export', unknown)).status).toBe(400);
  });
});

describe('sorted by score', () => {
  test('the highest comes first, page by page, within a period', async () => {
    const spam = { name: 'SEO', message: 'Buy backlinks now!!! casino viagra http://spam.top' };
    const ids = [await send(spam), await send(), await send(spam), await send()];
    const query = { sort: 'score', from: '2026-11-01T00:00:00Z', limit: '3' };
    const { body } = await owner.get('/leads', { query });
    const found = [...body.leads, ...(await list({ ...query, cursor: body.cursor }))];
    expect(found.map(({ submissionId: id }) => id)).toEqual([ids[3], ids[1], ids[2], ids[0]]);
    const other = await owner.get('/leads', {
      query: { ...query, q: 'ada', cursor: body.cursor },
      beyondSchema: true,
    });
    expect(other.status).toBe(400);
    const endless = await owner.get('/leads', { query: { sort: 'score' }, beyondSchema: true });
    expect(endless.body.errors).toMatchObject([{ field: 'sort' }]);
  });
});
