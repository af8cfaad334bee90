import { describe, expect, test } from '@jest/globals';
import { MAX_LEADS_HELD, MAX_PAGE_BYTES } from '#leads/export/export-page.ts';
import { makeLeadExport } from '#leads/export/lead-export-store.ts';
import type { LeadFilter } from '#leads/lead-filter.ts';
import { FACT_COLUMNS, parseCsv } from './csv-fixture.ts';
import {
  leadOf,
  leadsOf,
  newestFirst,
  newOwner,
  type Owner,
  openLeadFixture,
  patience,
} from './lead-fixture.ts';

const fixture = openLeadFixture();
const leadExport = makeLeadExport(fixture);

/** The file that a client gets by joining all pages. */
async function download(owner: Owner, format: 'csv' | 'ndjson', filter: LeadFilter = {}) {
  const pages: Buffer[] = [];
  let cursor: string | undefined;
  do {
    const page = await leadExport.page({ ...owner, format, filter, cursor }, patience());
    expect(page.content.length).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    pages.push(page.content);
    cursor = page.cursor;
  } while (cursor);
  return { pages, text: Buffer.concat(pages).toString('utf8') };
}

/** Records by column name, after checking that the names are unique. */
function recordsOf(csv: string): Map<string, string>[] {
  // One byte order mark, at the beginning of the file.
  expect(csv.lastIndexOf('\ufeff')).toBe(0);
  const [header = [], ...records] = parseCsv(csv.slice(1));
  expect(new Set(header).size).toBe(header.length);
  return records.map((record) => new Map(record.map((cell, index) => [header[index] as string, cell])));
}

describe('a CSV export', () => {
  test('returns every cell, whatever the characters', async () => {
    const owner = newOwner();
    const body =
      '{"text":"a \\"quoted\\", cell;\\r\\nwith lines","=cmd":"=1+1","phone":"+49 30 1234567","n":-5,"big":' +
      `${'7'.repeat(400)},"__proto__":"data","10":"ten","score":"theirs","other":"mine","null":null,"o":{ "=x" : 1.0,\n"s":"a \\" b;=1"},"l":[]}`;
    const lead = leadOf(owner, 1, { body });
    await fixture.put([lead]);
    const [record] = recordsOf((await download(owner, 'csv')).text);
    expect([...(record ?? [])]).toEqual([
      ['submission_id', lead.leadId],
      ['received_at', lead.receivedAt],
      ['surface', '1a'],
      ['score', '1'],
      ['grade', ''],
      ['clean', 'false'],
      ['scored_clean', 'false'],
      ['review', ''],
      ['reviewed_at', ''],
      ['handling', 'new'],
      ['handled_at', ''],
      ['handling_note', ''],
      ['enrichment', 'skipped'],
      ...FACT_COLUMNS.map(([name]) => [name, '']),
      ['text', 'a "quoted", cell;\r\nwith lines'],
      ["'=cmd", "'=1+1"],
      ['phone', '+49 30 1234567'],
      ['n', '-5'],
      ['big', '7'.repeat(400)],
      ['__proto__', 'data'],
      ['10', 'ten'],
      ['body.score', 'theirs'],
      ['body.other', 'mine'],
      ['null', ''],
      ['other', '{"o":{"=x":1.0,"s":"a \\" b\\u003b=1"},"l":[]}'],
    ]);
  });

  test('has a nested value in the last column, even if other leads have a plain one under its key', async () => {
    const owner = newOwner();
    const bodies = ['{"tags":"red","n":1}', '{"tags":["red","blue"],"n":2}'];
    await fixture.put(bodies.map((body, n) => leadOf(owner, n, { body })));
    const records = recordsOf((await download(owner, 'csv')).text);
    expect(records.map((record) => [record.get('n'), record.get('tags'), record.get('other')])).toEqual([
      ['2', '', '{"tags":["red","blue"]}'],
      ['1', 'red', ''],
    ]);
  });

  test('has the columns of the newest leads on every page, and loses no values of the others', async () => {
    const owner = newOwner();
    const padding = 'x'.repeat(60_000);
    const all = leadsOf(owner, 110, (n) => ({
      body:
        n < 20
          ? `{"n":${n},"padding":"${padding}","old":${n}.50,"o":{}}`
          : `{"n":${n},"padding":"${padding}"}`,
    }));
    await fixture.put(all.slice(20));
    const first = await leadExport.page({ ...owner, format: 'csv' }, patience());
    // These arrive after the first page, so that the columns do not include their keys.
    await fixture.put(all.slice(0, 20));
    expect(first.cursor).toBeDefined();
    const pages = [first.content];
    for (let cursor = first.cursor; cursor; ) {
      const page = await leadExport.page({ ...owner, format: 'csv', cursor }, patience());
      pages.push(page.content);
      cursor = page.cursor;
    }
    expect(pages.length).toBe(2);
    const records = recordsOf(Buffer.concat(pages).toString('utf8'));
    expect(records.map((record) => record.get('submission_id'))).toEqual(newestFirst(all));
    expect(records.map((record) => record.get('n'))).toEqual(all.map((_, n) => String(109 - n)));
    expect(records.map((record) => record.get('other'))).toEqual(
      all.map((_, n) => (109 - n < 20 ? `{"old":${109 - n}.50,"o":{}}` : '')),
    );
  });
});

describe('an NDJSON export', () => {
  test('has every body as it was sent', async () => {
    const owner = newOwner();
    const bodies = [
      `{"n":${'3'.repeat(400)}}`,
      '{"a":1,"a":2,"__proto__":{"x":1}}',
      '{\r\n  "text": "a\\nb\\u2028",\n  "deep": [[[ 1.50 ]]]\n}',
      '{}',
      `{"text":"${'compressible '.repeat(500)}"}`,
      '{"text":"\u2028 \u0085"}',
    ];
    await fixture.put(bodies.map((body, n) => leadOf(owner, n, { body })));
    const lines = (await download(owner, 'ndjson')).text.split('\n');
    expect(lines.pop()).toBe('');
    const sent = bodies.toReversed();
    expect(lines.length).toBe(sent.length);
    for (const [index, line] of lines.entries()) {
      const body = sent[index] as string;
      expect(JSON.parse(line).body).toEqual(JSON.parse(body));
      // The text itself, except for its line breaks.
      expect(line.endsWith(`,"body":${body.replace(/[\r\n]/g, ' ')}}`)).toBe(true);
    }
  });

  test('has score and enrichment, and everything except the body of a damaged lead', async () => {
    const owner = newOwner();
    const [lead, damaged] = [leadOf(owner, 1, { clean: true }), leadOf(owner, 2)];
    const facts = { mail_class: { value: 'business', source: 'email' } };
    const enrichedAt = '2026-03-01T00:00:10.000Z';
    await fixture.putEnrichment({
      leadId: lead.leadId,
      state: 'enriched',
      enrichedAt,
      attempts: 1,
      facts: facts as never,
    });
    await fixture.put([lead]);
    await fixture.putDamaged(damaged);
    const lines = (await download(owner, 'ndjson')).text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        submission_id: damaged.leadId,
        body: null,
        enrichment: { state: 'skipped' },
      }),
      {
        submission_id: lead.leadId,
        form_id: lead.formId,
        received_at: lead.receivedAt,
        surface: '1a',
        score: 1,
        clean: true,
        scored_clean: true,
        status: 'new',
        enrichment: { state: 'enriched', facts, enrichedAt, attempts: 1 },
        body: JSON.parse(lead.body),
      },
    ]);
  });
});

describe('an export of many leads', () => {
  test('reads a bounded number of them in a bounded number of calls, and misses none', async () => {
    const owner = newOwner();
    const COUNT = 1_000;
    const text = 'x'.repeat(5_000);
    const all = leadsOf(owner, COUNT, (n) => ({ body: JSON.stringify({ n, text }) }));
    await fixture.put(all);
    let held = 0;
    let mostHeld = 0;
    const keysOf = (input: unknown) =>
      Object.values((input as { RequestItems?: Record<string, { Keys: unknown[] }> }).RequestItems ?? {})
        .map(({ Keys }) => Keys.length)
        .reduce((sum, count) => sum + count, 0);
    fixture.calls.reset();
    // A query begins when the leads of the previous group have been written as lines.
    fixture.calls.injectBefore((command, input) => {
      held = command === 'Query' ? 0 : held + keysOf(input);
      mostHeld = Math.max(mostHeld, held);
      return undefined;
    });
    const { text: lines, pages } = await download(owner, 'ndjson');
    fixture.calls.injectBefore(undefined);
    const ids = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).submission_id);
    expect(ids).toEqual(newestFirst(all));
    expect(mostHeld).toBe(MAX_LEADS_HELD);
    expect(pages.length).toBe(2);
    // A probe for each page, and a query and four batches for each 200 leads.
    expect(fixture.calls.commands().length).toBeLessThan(2 + (COUNT / 200 + 4) * 5);
    const { text: csv } = await download(owner, 'csv');
    expect(recordsOf(csv).map((record) => record.get('submission_id'))).toEqual(newestFirst(all));
  });

  test('of the largest leads fills its pages exactly', async () => {
    const owner = newOwner();
    const quotes = '\\"'.repeat(65_000);
    const all = leadsOf(owner, 40, () => ({ body: `{"q":"${quotes}"}` }));
    await fixture.put(all);
    const { pages, text } = await download(owner, 'csv');
    expect(recordsOf(text).map((record) => record.get('q'))).toEqual(all.map(() => '"'.repeat(65_000)));
    expect(pages.length).toBe(2);
  });
});
