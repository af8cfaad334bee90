import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Owner, openOwnerFixture } from '../owner-api/owner-fixture.ts';
import { type Sender, submissionId } from '../submission/submission-fixture.ts';

describe('reading', () => {
  const START = Date.parse('2026-11-15T12:00:00Z');
  const fixture = openOwnerFixture(START);

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
    test('go from the newest lead to the oldest, each lead once', async () => {
      expect(await pages({ limit: '3' })).toEqual(leadIds);
      expect(await pages({})).toEqual(leadIds);
    });

    test('are filtered by time: from is inside, to is not', async () => {
      const query = { from: '2026-11-15T12:02:00Z', to: '2026-11-15T13:04:00+01:00' };
      expect(await pages(query)).toEqual([leadIds[3], leadIds[4]]);
    });

    test('are filtered by clean and score', async () => {
      const clean = await pages({ clean: 'true', limit: '1' });
      expect(clean).toEqual(leadIds.filter((_, index) => index % 2 === 0));
      const { body } = await owner.get(leadsAt);
      const scores = body.rows.map(({ score }: { score: number }) => score);
      const highest = Math.max(...scores);
      const best = body.rows.filter(({ score }: { score: number }) => score >= highest);
      expect(await pages({ minScore: String(highest) })).toEqual(idsOf(best));
      expect(await pages({ maxScore: '0' })).toEqual(
        idsOf(body.rows.filter(({ score }: { score: number }) => score === 0)),
      );
    });

    test('take a cursor only with the filters that it was made with', async () => {
      const { body } = await owner.get(leadsAt, { query: { limit: '1' } });
      const query = { limit: '1', clean: 'true', cursor: body.cursor };
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
      ['{"_test":"true"}', undefined],
      ['{"_test":false}', undefined],
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

    test('have the chosen columns, in that order', async () => {
      const get = (query: Record<string, string>, beyondSchema = false) =>
        owner.get(`${leadsAt}/export`, { query, beyondSchema });
      const { text } = await get({ columns: 'n,score,body.a%2Cb' });
      expect(text.split('\r\n')[0]).toBe('\ufeffn,score,"a,b"');
      for (const [query, problem] of [
        [{ columns: 'n,scoer' }, /^Unknown columns: scoer\. /],
        [{ columns: 'n,,score' }, /single commas/],
        [{ columns: 'n,n' }, /twice/],
        [{ columns: 'n', format: 'ndjson' }, /Only CSV/],
        [{ columns: Array.from({ length: 201 }, (_, n) => `body.${n}`).join() }, /at most 200/],
      ] as const) {
        const { status, body } = await get(query, true);
        expect(status).toBe(400);
        expect(body.errors).toEqual([{ field: 'columns', problem: expect.stringMatching(problem) }]);
      }
    });

    test('are filtered as pages are', async () => {
      const query = { format: 'ndjson', clean: 'false' };
      const { text } = await owner.get(`${leadsAt}/export`, { query });
      const ids = text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { submission_id: string }).submission_id);
      expect(ids).toEqual(leadIds.filter((_, index) => index % 2 === 1));
    });
  });

  test('leads of an archived form stay', async () => {
    await owner.post(`/forms/${sender.formId}/archive`);
    expect((await owner.get(leadsAt)).body.rows).toHaveLength(7);
  });
});

describe('retention', () => {
  const NOON = Date.parse('2026-11-15T12:00:10Z');
  const DAY = 24 * 60 * 60 * 1000;
  const fixture = openOwnerFixture(NOON);

  beforeEach(() => {
    fixture.clock.now = NOON;
  });

  const of = ({ workspaceId }: Sender) => fixture.ownerOf(workspaceId);
  const keep = (sender: Sender, retentionDays: unknown) =>
    of(sender).patch(`/forms/${sender.formId}`, { body: { retentionDays } });

  describe('how long leads of a form are kept', () => {
    test('is unlimited by default, can be set, and can be reset', async () => {
      const sender = await fixture.newSender();
      const at = `/forms/${sender.formId}`;
      expect((await of(sender).get(at)).body).toMatchObject({ retentionDays: null });
      expect((await keep(sender, 30)).body).toMatchObject({ retentionDays: 30, name: 'Contact' });
      expect((await of(sender).patch(at, { body: { name: 'Renamed' } })).body).toMatchObject({
        retentionDays: 30,
      });
      expect((await of(sender).get(at)).body).toMatchObject({ retentionDays: 30, name: 'Renamed' });
      expect((await keep(sender, null)).body).toMatchObject({ retentionDays: null, name: 'Renamed' });
      expect((await of(sender).get(at)).body).toMatchObject({ retentionDays: null });
    });

    test.each([1, 3_650])('may be %i days', async (days) => {
      expect((await keep(await fixture.newSender(), days)).status).toBe(200);
    });

    test.each([0, -1, 3_651, 1.5, '30', true, [30], {}])('cannot be %j', async (days) => {
      const sender = await fixture.newSender();
      const { status, body } = await keep(sender, days);
      expect(status).toBe(400);
      expect(body.errors).toEqual([
        { field: 'retentionDays', problem: 'must be a whole number from 1 to 3650, or null' },
      ]);
      expect((await of(sender).get(`/forms/${sender.formId}`)).body.retentionDays).toBeNull();
    });

    test('cannot be changed by another workspace', async () => {
      const [sender, stranger] = [await fixture.newSender(), await fixture.newSender()];
      const { status } = await of(stranger).patch(`/forms/${sender.formId}`, { body: { retentionDays: 1 } });
      expect(status).toBe(404);
      expect((await of(sender).get(`/forms/${sender.formId}`)).body.retentionDays).toBeNull();
    });

    test('stays as it is on an archived form', async () => {
      const sender = await fixture.newSender();
      await of(sender).post(`/forms/${sender.formId}/archive`);
      expect((await keep(sender, 30)).status).toBe(409);
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
