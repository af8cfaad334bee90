import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { localStack } from '../../local-stack.ts';
import { until } from '../../until.ts';
import { type Owner, openOwnerFixture } from '../owner-api/owner-fixture.ts';
import { type Sender, submissionId } from '../submission/submission-fixture.ts';

describe('reading', () => {
  const START = Date.parse('2026-11-15T12:00:00Z');
  const fixture = openOwnerFixture(START, undefined, localStack());

  let sender: Sender;
  let owner: Owner;
  let leadIds: string[];
  let leadsAt: string;

  /** Seven leads, one minute apart; every other one is not clean. */
  beforeAll(async () => {
    sender = await fixture.newSender();
    owner = fixture.ownerOf(sender.workspaceId);
    leadsAt = `/forms/${sender.formId}/leads`;
    const ingest = fixture.newEnvironment();
    leadIds = [];
    for (let n = 0; n < 7; n += 1) {
      fixture.clock.now = START + n * 60_000;
      const body =
        n % 2 === 0
          ? `{"n":${n}.00,"name":"Ada Byron","email":"ada${n}@analytical-engines.co.uk"}`
          : `{"n":${n}}`;
      leadIds.unshift(submissionId(await ingest.server(sender, { body })));
    }
  });

  const idsOf = (rows: readonly { submissionId: string }[]) => rows.map(({ submissionId: id }) => id);

  async function pages(query: Record<string, string>) {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await owner.get(leadsAt, { query: { ...query, ...(cursor && { cursor }) } });
      found.push(...idsOf(body.rows));
      cursor = body.cursor;
    } while (cursor);
    return found;
  }

  describe('pages', () => {
    test('go from the newest lead to the oldest, each lead once, and take the filters of the query', async () => {
      expect(await pages({ limit: '3' })).toEqual(leadIds);
      // From is inside, to is not.
      const range = { from: '2026-11-15T12:02:00Z', to: '2026-11-15T13:04:00+01:00' };
      expect(await pages(range)).toEqual([leadIds[3], leadIds[4]]);
      const clean = leadIds.filter((_, index) => index % 2 === 0);
      expect(await pages({ clean: 'true', limit: '1' })).toEqual(clean);
      const { body } = await owner.get(leadsAt, { query: { limit: '2' } });
      const low = body.rows[1].score;
      expect(await pages({ minScore: String(low + 1), maxScore: '100' })).toEqual(clean);
      expect(await pages({ maxScore: String(low) })).toEqual(leadIds.filter((_, index) => index % 2 === 1));
      const query = { limit: '2', clean: 'true', cursor: body.cursor };
      const response = await owner.get(leadsAt, { query, beyondSchema: true });
      expect(response.body.errors).toMatchObject([{ field: 'cursor' }]);
    });

    test('of a form without leads are empty', async () => {
      const { body: form } = await owner.post('/forms', { body: { name: 'Quiet' } });
      const response = await owner.get(`/forms/${form.formId}/leads`);
      expect(response.body).toEqual({ columns: [], rows: [] });
      const csv = await owner.get(`/forms/${form.formId}/leads/export`);
      expect(csv.text).toMatch(/^\ufeffsubmission_id,/);
    });
  });

  describe('one lead', () => {
    test('has its body as it was sent, with every digit', async () => {
      const { body: lead } = await owner.get(`/leads/${leadIds[6]}`);
      expect(lead.body).toContain('"n":0.00');
      expect(lead).toMatchObject({
        formId: sender.formId,
        surface: '1a',
        receivedAt: '2026-11-15T12:00:00.000Z',
      });
      expect(lead.signals).toContainEqual({
        name: 'email_company_domain',
        weight: 0,
        explanation: 'Company email domain',
      });
    });

    test.each([
      ['{"_test":true}', true],
      ['{ "a": {}, "_test" : true }', true],
      ['{"_test":true,"_test":0}', undefined],
      ['{"nested":{"_test":true}}', undefined],
    ])('%s is a test: %p', async (body, test) => {
      const other = await fixture.newForm(sender.workspaceId);
      const token = { ...sender, ...other };
      const leadId = submissionId(await fixture.newEnvironment().server(token, { body }));
      const { body: page } = await owner.get(`/forms/${other.formId}/leads`);
      expect(page.rows).toMatchObject([{ submissionId: leadId, ...(test && { test }) }]);
      const { body: lead } = await owner.get(`/leads/${leadId}`);
      expect([page.rows[0].test, lead.test]).toEqual([test, test]);
    });

    test.each(['no-uuid', '%00', 'x'.repeat(3000)])('is not found by %.20s', async (leadId) => {
      expect((await owner.get(`/leads/${leadId}`)).status).toBe(404);
      expect((await owner.delete(`/leads/${leadId}`)).status).toBe(404);
    });
  });

  describe('exports', () => {
    test('page by page make one file, with one header', async () => {
      const wide = await fixture.newSender();
      const of = fixture.ownerOf(wide.workspaceId);
      const ingest = fixture.newEnvironment();
      // 40 leads of 120 KB are more than a page.
      const body = JSON.stringify({ text: 'ab'.repeat(60_000) });
      for (let n = 0; n < 40; n += 1) submissionId(await ingest.server(wide, { body }));
      const parts: string[] = [];
      let cursor: string | undefined;
      do {
        const query = { format: 'csv', ...(cursor && { cursor }) };
        const page = await of.get(`/forms/${wide.formId}/leads/export`, { query });
        expect(page.text.length).toBeLessThanOrEqual(4 * 1024 * 1024);
        parts.push(page.text);
        cursor = page.headers['x-next-cursor'] as string | undefined;
      } while (cursor);
      expect(parts.length).toBe(2);
      const lines = parts.join('').trimEnd().split('\r\n');
      expect(lines).toHaveLength(41);
      expect(lines.filter((line) => line.startsWith('\ufeffsubmission_id'))).toHaveLength(1);
    });

    test('are files named after the form', async () => {
      const { headers } = await owner.get(`${leadsAt}/export`);
      expect(headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${sender.slug}.csv"`,
      });
    });

    test('have the chosen columns, in that order, and the leads that the filter allows', async () => {
      const get = (query: Record<string, string>, beyondSchema = false) =>
        owner.get(`${leadsAt}/export`, { query, beyondSchema });
      const { text } = await get({ columns: 'n,submission_id,body.a%2Cb', clean: 'false' });
      const expected = [5, 3, 1].map((n) => `${n},${leadIds[6 - n]},`);
      expect(text.split('\r\n')).toEqual(['\ufeffn,submission_id,"a,b"', ...expected, '']);
      for (const [query, problem] of [
        [{ columns: 'n,scoer' }, /^Unknown columns: scoer\. /],
        [{ columns: 'n,,score' }, /single commas/],
        [{ columns: 'n,body.n' }, /twice/],
        [{ columns: 'n', format: 'ndjson' }, /Only CSV/],
        [{ columns: Array.from({ length: 201 }, (_, n) => `body.${n}`).join() }, /at most 200/],
      ] as const) {
        const { status, body } = await get(query, true);
        expect(status).toBe(400);
        expect(body.errors).toEqual([{ field: 'columns', problem: expect.stringMatching(problem) }]);
      }
    });
  });

  test('leads of all forms are searched as soon as the stack has indexed them, until they are erased', async () => {
    const [newest = ''] = leadIds;
    const found = async (query: Record<string, string>) =>
      idsOf((await owner.get('/leads', { query })).body.leads);
    const all = await until(
      () => found({}),
      (ids) => leadIds.every((id) => ids.includes(id)),
    );
    // The tests above have sent leads to other forms.
    expect(all).toEqual(expect.arrayContaining(leadIds));
    expect(await found({ form: sender.formId })).toEqual(leadIds);
    const { body: lead } = await owner.get(`/leads/${newest}`);
    const score = String(lead.score);
    const same = { clean: String(lead.clean), minScore: score, maxScore: score, form: sender.formId };
    const times = { from: '2026-11-15T12:06:00Z', to: '2026-11-15T13:00:00Z', limit: '5' };
    expect(await found({ q: 'byr ada6@analytical', ...same, ...times })).toEqual([newest]);
    expect(await found({ q: 'babbage' })).toEqual([]);
    expect(await found({ form: 'form_none' })).toEqual([]);
    expect((await owner.delete(`/leads/${newest}`)).status).toBe(204);
    expect((await owner.delete(`/leads/${newest}`)).status).toBe(404);
    // The indexer may be at work on the same lead, and removes what it has written.
    expect(
      await until(
        () => found({ q: 'ada6' }),
        ({ length }) => length === 0,
      ),
    ).toEqual([]);
  });

  test('leads of an archived form stay', async () => {
    await owner.post(`/forms/${sender.formId}/archive`);
    expect((await owner.get(leadsAt)).body.rows).toHaveLength(6);
  });
});

describe('retention', () => {
  const NOON = Date.parse('2026-11-15T12:00:10Z');
  const DAY = 24 * 60 * 60 * 1000;
  const fixture = openOwnerFixture(NOON, undefined, localStack());

  beforeEach(() => {
    fixture.clock.now = NOON;
  });

  const of = ({ workspaceId }: Sender) => fixture.ownerOf(workspaceId);
  const keep = (sender: Sender, retentionDays: unknown) =>
    of(sender).patch(`/forms/${sender.formId}`, { body: { retentionDays } });

  describe('how long leads of a form are kept', () => {
    test('is unlimited by default, can be set from 1 to 3,650 days, and can be reset', async () => {
      const sender = await fixture.newSender();
      const at = `/forms/${sender.formId}`;
      expect((await of(sender).get(at)).body).toMatchObject({ retentionDays: null });
      expect((await keep(sender, 1)).body).toMatchObject({ retentionDays: 1, name: 'Contact' });
      await keep(sender, 3_650);
      const { body: renamed } = await of(sender).patch(at, { body: { name: 'Renamed' } });
      expect(renamed).toMatchObject({ retentionDays: 3_650, name: 'Renamed' });
      expect((await keep(sender, null)).body).toMatchObject({ retentionDays: null, name: 'Renamed' });
      expect((await of(sender).get(at)).body).toMatchObject({ retentionDays: null });
    });
  });

  test('a lead shows when it expires, and is not found afterwards', async () => {
    const sender = await fixture.newSender();
    const ingest = fixture.newEnvironment();
    const before = submissionId(await ingest.webhook(sender));
    await keep(sender, 7);
    const after = submissionId(await ingest.webhook(sender));
    const owner = of(sender);
    expect((await owner.get(`/leads/${before}`)).body).not.toHaveProperty('keptUntil');
    expect((await owner.get(`/leads/${after}`)).body.keptUntil).toBe(new Date(NOON + 7 * DAY).toISOString());
    fixture.clock.now = NOON + 7 * DAY;
    expect((await owner.get(`/leads/${after}`)).status).toBe(404);
    const { body } = await owner.get(`/forms/${sender.formId}/leads`);
    expect(body.rows.map(({ submissionId: id }: { submissionId: string }) => id)).toEqual([before]);
  });
});
