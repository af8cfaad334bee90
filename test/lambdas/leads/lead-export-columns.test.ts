import { describe, expect, test } from '@jest/globals';
import type { Facts } from '#enrichment/enrichment-item.ts';
import { InvalidColumns, readColumnNames } from '#leads/export/export-columns.ts';
import { type LeadExportRequest, makeLeadExport } from '#leads/export/lead-export-store.ts';
import { InvalidCursor } from '#owner-api/errors.ts';
import { FACT_COLUMNS, parseCsv } from './csv-fixture.ts';
import { leadOf, leadsOf, newOwner, type Owner, openLeadFixture, patience } from './lead-fixture.ts';

const fixture = openLeadFixture();
const leadExport = makeLeadExport(fixture);

async function exported(owner: Owner, options: Partial<LeadExportRequest> = {}) {
  const rows: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await leadExport.page({ ...owner, format: 'csv', ...options, cursor }, patience());
    rows.push(...parseCsv(page.content.toString('utf8').replace('\ufeff', '')));
    cursor = page.cursor;
  } while (cursor);
  return rows;
}

const COLUMNS = FACT_COLUMNS.map(([name]) => name);
const CELLS = FACT_COLUMNS.map(([, , cell]) => cell);
const FACTS = Object.assign({}, ...FACT_COLUMNS.map(([, facts]) => facts)) as Facts;

const enrichmentOf = (leadId: string) => ({
  leadId,
  state: 'enriched' as const,
  enrichedAt: '2026-03-01T00:00:10.000Z',
  attempts: 1,
  facts: FACTS,
});

describe('the facts of an enrichment', () => {
  test('are columns after the score, and empty for a lead without an enrichment', async () => {
    const owner = newOwner();
    const [enriched, pending] = [leadOf(owner, 1, { clean: true }), leadOf(owner, 2, { clean: true })];
    await fixture.putEnrichment(enrichmentOf(enriched.leadId));
    await fixture.put([enriched, pending]);
    const [header, second, first] = await exported(owner);
    expect(header?.slice(12, 13 + COLUMNS.length)).toEqual(['enrichment', ...COLUMNS]);
    expect(first?.slice(12, 13 + CELLS.length)).toEqual(['enriched', ...CELLS]);
    expect(second?.slice(12, 13 + CELLS.length)).toEqual(['pending', ...CELLS.map(() => '')]);
  });

  test('tell a domain without mail hosts from one whose mail hosts are unknown', async () => {
    const owner = newOwner();
    const [none, unknown] = [leadOf(owner, 1, { clean: true }), leadOf(owner, 2, { clean: true })];
    const { mailHosts: _, ...facts } = FACTS;
    await fixture.putEnrichment({
      ...enrichmentOf(none.leadId),
      facts: { ...facts, mailHosts: { value: [], source: 'dns' } },
    });
    await fixture.putEnrichment({ ...enrichmentOf(unknown.leadId), facts });
    await fixture.put([none, unknown]);
    const rows = await exported(owner, { chosen: ['enrichment_mail_hosts'] });
    expect(rows.slice(1)).toEqual([[''], ['none']]);
  });

  test('are read in the same batches as the leads', async () => {
    const owner = newOwner();
    const all = leadsOf(owner, 125, () => ({ clean: true }));
    await fixture.put(all);
    await Promise.all(all.map(({ leadId }) => fixture.putEnrichment(enrichmentOf(leadId))));
    fixture.calls.reset();
    const rows = await exported(owner, { chosen: ['enrichment_company'] });
    expect(rows.slice(1)).toEqual(all.map(() => ["Acme;' =2"]));
    // 25 leads and then 100, with two items each in batches of 50 leads.
    expect(fixture.calls.commands().filter((command) => command === 'BatchGetItem')).toHaveLength(1 + 2);
  });
});

describe('the chosen columns', () => {
  test('are written in their order, with nested values as JSON', async () => {
    const owner = newOwner();
    const lead = leadOf(owner, 1, {
      body: '{"score":"theirs","email":"a@b.de","body.x":1,"tags":[ "a;=1" ],"o":{ "p":1 }}',
      clean: true,
    });
    await fixture.putEnrichment(enrichmentOf(lead.leadId));
    await fixture.put([lead]);
    const chosen = ['tags', 'body.email', 'score', 'body.score', 'body.body.x', 'body.later'];
    const more = ['enrichment_provider.size', 'enrichment_other', 'enrichment_company', 'other'];
    const rows = await exported(owner, { chosen: [...chosen, ...more] });
    expect(rows[0]).toEqual(['tags', 'email', 'score', 'body.score', 'body.body.x', 'later', ...more]);
    expect(rows[1]?.slice(0, 7)).toEqual(['["a\\u003b=1"]', 'a@b.de', '1', 'theirs', '1', '', '250']);
    const { company: _company, 'provider.size': _size, ...rest } = FACTS;
    expect(JSON.parse(rows[1]?.[7] ?? '')).toEqual(
      Object.fromEntries(Object.entries(rest).map(([name, { value }]) => [name, value])),
    );
    expect(rows[1]?.slice(8)).toEqual(["Acme;' =2", '{"o":{"p":1}}']);
  });

  test('must exist: as a column, a field or a key of a recent lead, whatever the filter', async () => {
    const owner = newOwner();
    await fixture.put(leadsOf(owner, 30, (n) => ({ body: n === 0 ? '{"old":1}' : '{"new":1}' })));
    const chosen = ['old', 'new', 'configured'];
    const fields = [{ key: 'configured' }];
    const rows = await exported(owner, { chosen, fields, filter: { clean: true } });
    expect(rows).toEqual([chosen]);
    await expect(exported(owner, { chosen: ['old', 'scoer', 'x'] })).rejects.toThrow(
      new InvalidColumns(
        'Unknown columns: scoer, x. For a key that no recent lead has, add the prefix body.',
      ),
    );
    await expect(exported(newOwner(), { chosen: ['new'] })).rejects.toThrow(InvalidColumns);
    expect(await exported(newOwner(), { chosen: ['body.new', 'score'] })).toEqual([['new', 'score']]);
  });

  test('are the same on all pages: the cursor belongs to them', async () => {
    const owner = newOwner();
    const all = leadsOf(owner, 60, (n) => ({ body: `{"n":${n},"a":"${'x'.repeat(80_000)}"}` }));
    await fixture.put(all);
    const request = { ...owner, format: 'csv' as const };
    const { cursor } = await leadExport.page({ ...request, chosen: ['n', 'a'] }, patience());
    expect(cursor?.length).toBeLessThan(300);
    for (const chosen of [['a', 'n'], ['n'], undefined]) {
      await expect(leadExport.page({ ...request, chosen, cursor }, patience())).rejects.toThrow(
        InvalidCursor,
      );
    }
    const { cursor: ofAll } = await leadExport.page(request, patience());
    const mixed = { ...request, chosen: ['n', 'a'], cursor: ofAll };
    await expect(leadExport.page(mixed, patience())).rejects.toThrow(InvalidCursor);
    const rows = await exported(owner, { chosen: ['n', 'a'] });
    expect(rows.slice(1).map(([n]) => n)).toEqual(all.map((_, n) => String(59 - n)));
  });
});

test('names of columns are separated by commas, and may contain them escaped', () => {
  expect(readColumnNames('a,b c,100%,50%2Ctrue,%252C')).toEqual(['a', 'b c', '100%', '50,true', '%2C']);
  for (const text of ['', 'a,', ',a', 'a,,b']) expect(() => readColumnNames(text)).toThrow(InvalidColumns);
});

test('the columns of a form with a provider are the fields that were made of its payloads', async () => {
  const owner = newOwner();
  const fields = '{"name":"Ada Byron","id":12345678901234567890}';
  await fixture.put([leadOf(owner, 0, { body: '{"event":"booked","payload":{"who":"Ada"}}', fields })]);
  const [header = [], line = []] = await exported(owner);
  expect(header.slice(-3)).toEqual(['name', 'id', 'other']);
  expect(line.slice(-3)).toEqual(['Ada Byron', '12345678901234567890', '']);
  expect(await exported(owner, { chosen: readColumnNames('id') })).toEqual([
    ['id'],
    ['12345678901234567890'],
  ]);
});
