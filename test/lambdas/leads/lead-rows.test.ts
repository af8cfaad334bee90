import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { topLevelScalars } from '#leads/export/lead-columns.ts';
import { makeLeadExport } from '#leads/export/lead-export-store.ts';
import { makeLeadPages } from '#leads/lead-pages-store.ts';
import { toLeadTable } from '#leads/lead-row.ts';
import { makeLeadArchive } from '#leads/whole-leads-store.ts';
import { topLevelSources } from '#model/json-text.ts';
import { anyText } from '../../any-text.ts';
import {
  enrichmentOf,
  leadOf,
  newOwner,
  openLeadFixture,
  patience,
  secondsAfterStart,
} from './lead-fixture.ts';

/** The table has no TTL here, as if DynamoDB were days late. */
const fixture = openLeadFixture();
const pages = makeLeadPages(fixture);
const leadExport = makeLeadExport(fixture);
const archive = makeLeadArchive(fixture);

const EXPIRY = secondsAfterStart(1_000) / 1000;

beforeEach(() => {
  fixture.clock.now = EXPIRY * 1000 - 1;
});

const expire = () => {
  fixture.clock.now = EXPIRY * 1000;
};

/** Three leads, of which the second will expire. */
async function ownerWithThreeLeads() {
  const owner = newOwner();
  const leads = [1, 2, 3].map((n) =>
    leadOf(owner, n, { clean: true, ...(n === 2 && { expiresAt: EXPIRY }) }),
  );
  await fixture.put(leads);
  const [first, expiring, last] = leads.map(({ leadId }) => leadId) as [string, string, string];
  await fixture.putEnrichment({ ...enrichmentOf(expiring), expiresAt: EXPIRY });
  return { ...owner, first, expiring, last };
}

describe('an expired lead is treated as deleted, although it is still stored', () => {
  test('from the list, without more calls', async () => {
    const { first, expiring, last, ...owner } = await ownerWithThreeLeads();
    const list = async () => {
      fixture.calls.reset();
      const { rows } = await pages.page(owner, patience());
      return { leadIds: rows.map(({ submissionId }) => submissionId), calls: fixture.calls.commands() };
    };
    const before = await list();
    expect(before.leadIds).toEqual([last, expiring, first]);
    expect(before.calls).toEqual(['Query', 'Query', 'BatchGetItem']);
    expire();
    expect(await list()).toEqual({ ...before, leadIds: [last, first] });
  });

  test.each(['csv', 'ndjson'] as const)('from an export as %s', async (format) => {
    const { first, expiring, last, ...owner } = await ownerWithThreeLeads();
    const read = async () => {
      const { content, leads } = await leadExport.page({ ...owner, format }, patience());
      return { leads, has: [first, expiring, last].map((leadId) => content.includes(leadId)) };
    };
    expect(await read()).toEqual({ leads: 3, has: [true, true, true] });
    expire();
    expect(await read()).toEqual({ leads: 2, has: [true, false, true] });
  });

  test('by its id, for its owner and for the operator', async () => {
    const { expiring, workspaceId } = await ownerWithThreeLeads();
    expect(await pages.find(workspaceId, expiring, patience())).toMatchObject({ state: 'enriched' });
    expect(await archive.read(expiring, patience())).toMatchObject({ lead: { expiresAt: EXPIRY } });
    expire();
    expect(await pages.find(workspaceId, expiring, patience())).toBeUndefined();
    expect(await archive.read(expiring, patience())).toBeUndefined();
  });

  test('and is not put on the queue again', async () => {
    const owner = newOwner();
    const [expiring, kept] = [
      leadOf(owner, 1, { clean: true, expiresAt: EXPIRY }),
      leadOf(owner, 2, { clean: true }),
    ];
    await fixture.put([expiring, kept]);
    const pending = async () => {
      const found: string[] = [];
      for await (const leadIds of archive.pending('2026-01-01', patience())) found.push(...leadIds);
      return [expiring, kept].map(({ leadId }) => found.includes(leadId));
    };
    expect(await pending()).toEqual([true, true]);
    expire();
    expect(await pending()).toEqual([false, true]);
  });
});

const cellsOf = (text: string) => [...topLevelScalars(text)].map(([key, { cell }]) => [key, cell]);

describe('the top-level values of a body', () => {
  test('are those that JSON.parse finds, for any body', () => {
    const bodies = fc.dictionary(anyText(), fc.jsonValue());
    fc.assert(
      fc.property(bodies, fc.constantFrom(undefined, 1, '\t'), (body, space) => {
        const text = JSON.stringify(body, null, space);
        const parsed = JSON.parse(text) as Record<string, unknown>;
        const expected = Object.entries(parsed).filter(
          ([, value]) => typeof value !== 'object' || value === null,
        );
        const found = topLevelScalars(text);
        expect(new Map([...found].map(([key, { source }]) => [key, JSON.parse(source)]))).toEqual(
          new Map(expected),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test('keep every digit, their order, and a key called __proto__', () => {
    const digits = '9'.repeat(400);
    const text = `{ "z": ${digits}, "10":1.50, "__proto__" : "x", "": true,\n"n":null,"o":{"a":"}"},"l":["]"] }`;
    expect(cellsOf(text)).toEqual([
      ['z', digits],
      ['10', '1.50'],
      ['__proto__', 'x'],
      ['', 'true'],
      ['n', ''],
    ]);
  });

  test('are also returned as sent, with the nested ones', () => {
    expect([...topLevelSources('{"a": 1.0, "o": {"b": [ ]}, "a":"x"}')]).toEqual([
      ['a', '"x"'],
      ['o', '{"b": [ ]}'],
    ]);
  });

  test('of a repeated key are those of the last', () => {
    expect(cellsOf('{"a":1,"b":2,"a":3,"b":[]}')).toEqual([['a', '3']]);
    expect(cellsOf(String.raw`{"a":{},"a":"\"\\"}`)).toEqual([['a', '"\\']]);
  });

  test.each(['', '[]', '{', '"text"', 'null', '{"a":1} x'])('of %j are empty', (text) => {
    expect(cellsOf(text)).toEqual([]);
  });

  test('are found beside the deepest possible nesting', () => {
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    expect(cellsOf(`{"a":1,"deep":${deep},"b":2}`)).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
  });
});

describe('leads as a table', () => {
  const owner = newOwner();
  const tableOf = (...bodies: string[]) =>
    toLeadTable(bodies.map((body, n) => ({ lead: leadOf(owner, n, { body }), state: 'skipped' as const })));

  test('have a column for each key that fits a cell in some lead', () => {
    const { columns, rows } = tableOf('{"a":"x","o":{"b":1}}', '{"o":"text","c":null,"l":[1]}');
    expect(columns).toEqual(['a', 'o', 'c']);
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['x', '', ''],
      ['', 'text', ''],
    ]);
  });

  test('say if keys have no column, and then have the columns of ordinary leads', () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`key ${n}`, 'x'])));
    const { columns, moreKeys } = tableOf(many, '{"often":1,"once":1}', '{"often":2}');
    expect(moreKeys).toBe(true);
    expect(columns.length).toBe(60);
    expect(columns).toEqual(expect.arrayContaining(['often', 'once']));
    expect(tableOf(`{"${'k'.repeat(101)}":1}`).moreKeys).toBe(true);
    expect(tableOf('{"often":1,"nested":{}}')).not.toHaveProperty('moreKeys');
  });

  test('have the configured keys first, even for leads with thousands of keys', () => {
    const keys = Array.from({ length: 3_000 }, (_, n) => [`key ${n}`, 'x'] as const);
    const many = JSON.stringify({ ...Object.fromEntries(keys), budget: '40,000' });
    const leads = [many, '{"often":1}', '{"often":2}'].map((body, n) => ({
      lead: leadOf(owner, n, { body }),
      state: 'skipped' as const,
    }));
    expect(toLeadTable(leads).columns).not.toContain('budget');
    const { columns, rows } = toLeadTable(leads, [{ key: 'budget' }, { key: 'never sent' }]);
    expect(columns).toHaveLength(60);
    expect(columns).toEqual(expect.arrayContaining(['budget', 'often']));
    expect(rows[0]?.cells[columns.indexOf('budget')]).toBe('40,000');
  });

  test('stay far below the size limit of a response, whatever was sent', () => {
    const body = JSON.stringify(
      Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`key ${n}`, '\u0001'.repeat(40)])),
    );
    const long = JSON.stringify({ text: '😀'.repeat(30_000), [`${'k'.repeat(101)}`]: 'no column' });
    const table = tableOf(...Array<string>(49).fill(body), long);
    expect(table.columns.length).toBe(60);
    expect(Buffer.byteLength(JSON.stringify(table))).toBeLessThan(4 * 1024 * 1024);
    expect(tableOf(long).columns).toEqual(['text']);
    expect(tableOf(long).rows[0]?.cells[0]).toBe(`${'😀'.repeat(100)}…`);
  });
});
