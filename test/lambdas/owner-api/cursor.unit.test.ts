import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { columnsForExport, sampleColumns } from '#leads/export/lead-columns.ts';
import { decodeLeadCursor, encodeLeadCursor, type LeadQuery } from '#leads/lead-cursors.ts';
import { filterMark, leadIdRange } from '#leads/lead-filter.ts';
import { isLeadId, makeLeadId } from '#model/lead-item.ts';
import { decodeEventCursor, encodeEventCursor } from '#owner-api/cursor.ts';
import { InvalidCursor } from '#owner-api/errors.ts';

const LEAD = '01890a5d-ac96-774b-bcce-b302099a8057';
const query: LeadQuery = { kind: 'leads', formId: 'form_1', filter: { clean: true } };
const csv: LeadQuery = { ...query, kind: 'csv' };

const uuids = fc.uuid();
const forge = (payload: unknown) => brotliCompressSync(JSON.stringify(payload)).toString('base64url');
const mark = filterMark(query.filter);

describe('a cursor', () => {
  test('returns the position, columns included', () => {
    const columns = fc.uniqueArray(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 50 });
    fc.assert(
      fc.property(uuids, columns, fc.string(), (leadId, names, formId) => {
        const mine = { ...csv, formId };
        const cursor = encodeLeadCursor(mine, { leadId, columns: names });
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeLeadCursor(cursor, mine)).toEqual({ leadId, columns: names });
      }),
    );
  });

  test.each<[string, Partial<LeadQuery>]>([
    ['another form', { formId: 'form_2' }],
    ['another filter', { filter: { clean: false } }],
    ['another kind', { kind: 'ndjson' }],
  ])('is invalid for %s', (_, change) => {
    const cursor = encodeLeadCursor(query, { leadId: LEAD });
    expect(decodeLeadCursor(cursor, query)).toEqual({ leadId: LEAD });
    expect(() => decodeLeadCursor(cursor, { ...query, ...change })).toThrow(InvalidCursor);
  });

  test('is rejected if the service did not make it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json().map(forge)), (text) => {
        expect(() => decodeLeadCursor(text, query)).toThrow(InvalidCursor);
        expect(() => decodeEventCursor(text)).toThrow(InvalidCursor);
      }),
    );
  });

  test.each([
    ['a lead that is no id', { leadId: "' OR 1=1" }],
    ['something besides', { workspaceId: 'ws_other' }],
    ['another version', { v: 2 }],
    ['columns where there are none', { columns: ['a'] }],
  ])('refuses %s', (_, change) => {
    const payload = { v: 1, kind: 'leads', formId: 'form_1', filter: mark, leadId: LEAD };
    expect(decodeLeadCursor(forge(payload), query)).toEqual({ leadId: LEAD });
    expect(() => decodeLeadCursor(forge({ ...payload, ...change }), query)).toThrow(InvalidCursor);
  });

  test.each([
    ['missing columns', undefined],
    ['repeated columns', ['a', 'a']],
    ['columns that are no text', [1]],
    ['too many columns', Array.from({ length: 201 }, (_, n) => `c${n}`)],
    ['a column that is too long', ['x'.repeat(201)]],
  ])('of a CSV export refuses %s', (_, columns) => {
    const forged = forge({ v: 1, kind: 'csv', formId: 'form_1', filter: mark, leadId: LEAD, columns });
    expect(() => decodeLeadCursor(forged, csv)).toThrow(InvalidCursor);
  });

  test('is not decompressed beyond the size of any valid one', () => {
    const bomb = forge({ v: 1, padding: 'x'.repeat(5_000_000) });
    expect(bomb.length).toBeLessThan(8_000);
    expect(() => decodeLeadCursor(bomb, query)).toThrow(InvalidCursor);
  });

  test('of events holds a minute', () => {
    expect(decodeEventCursor(encodeEventCursor('2026-11-15T12:34Z'))).toBe('2026-11-15T12:34Z');
    expect(() => decodeEventCursor(encodeEventCursor('2026-11-15T12:34Z#x'))).toThrow(InvalidCursor);
  });
});

describe('the columns of an export', () => {
  test('fit in a request line whatever the keys, with the most frequent ones kept', () => {
    const sample = sampleColumns();
    for (let lead = 0; lead < 3; lead += 1) {
      const noise = Array.from({ length: 300 }, () => crypto.randomUUID().repeat(5));
      sample.add([...noise, 'email', 'name']);
    }
    const columns = columnsForExport(sample, csv);
    expect(columns).toEqual(expect.arrayContaining(['email', 'name']));
    expect(encodeLeadCursor(csv, { leadId: LEAD, columns }).length).toBeLessThan(6_000);
  });

  test('are not crowded out by a lead with thousands of keys', () => {
    const sample = sampleColumns();
    sample.add(Array.from({ length: 9_000 }, (_, n) => `noise_${n}`));
    for (let lead = 0; lead < 3; lead += 1) sample.add(['email', 'name']);
    expect(sample.columns(200)).toEqual(expect.arrayContaining(['email', 'name']));
  });

  test('are all those of an ordinary form, in order of appearance', () => {
    const sample = sampleColumns();
    const names = Array.from({ length: 200 }, (_, n) => `question_${n}_of_the_form`);
    sample.add(names);
    expect(columnsForExport(sample, csv)).toEqual(names);
  });
});

const moments = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const nearby = fc.integer({ min: -2, max: 2 });
const randoms = fc.uint8Array({ minLength: 10, maxLength: 10 });
const within = (id: string, range: ReturnType<typeof leadIdRange>) =>
  range !== undefined && id >= range.oldest && id <= range.newest;

describe('the ids of a time range', () => {
  test('include its start and exclude its end, to the millisecond', () => {
    fc.assert(
      fc.property(moments, nearby, nearby, randoms, (at, before, after, random) => {
        const [from, to] = [at + before, at + after];
        const id = makeLeadId(at, random);
        expect(isLeadId(id)).toBe(true);
        expect(within(id, leadIdRange(from, to))).toBe(at >= from && at < to);
        expect(within(id, leadIdRange(from, undefined))).toBe(at >= from);
        expect(within(id, leadIdRange(undefined, to))).toBe(at < to);
      }),
    );
  });

  test('that are older than a lead exclude the lead itself', () => {
    fc.assert(
      fc.property(moments, randoms, fc.oneof(randoms, fc.constant(undefined)), (at, random, other) => {
        const id = makeLeadId(at, random);
        const another = makeLeadId(at, other ?? random);
        expect(within(another, leadIdRange(undefined, undefined, id))).toBe(another < id);
      }),
    );
  });

  test('are empty before the first id, or for an empty range', () => {
    expect(leadIdRange(undefined, undefined, '00000000-0000-0000-0000-000000000000')).toBeUndefined();
    expect(leadIdRange(5, 5)).toBeUndefined();
    expect(leadIdRange(Number.NaN, undefined)).toBeUndefined();
    expect(leadIdRange(1_000, 2_000, makeLeadId(999, new Uint8Array(10)))).toBeUndefined();
  });
});
