import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Query } from '../../console/src/api/client.ts';
import {
  directionOf,
  findNewer,
  findOlder,
  type Neighbour,
  neighboursIn,
  receivedAtOf,
  type Search,
} from '../../console/src/pages/leads/detail/find-neighbours.ts';
import { leadIdRange } from '../../lambdas/leads/lead-filter.ts';
import { makeLeadId } from '../../lambdas/model/lead-item.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');

const idAt = (milliseconds: number, number = 0) => {
  const random = new Uint8Array(10);
  random[9] = number % 256;
  random[8] = Math.floor(number / 256);
  return makeLeadId(milliseconds, random);
};

const neighbour = (submissionId: string) => ({ submissionId, formId: `form of ${submissionId}` });
const idOf = (found: Neighbour | undefined) => found?.submissionId;

/** The leads route of the API: newest first, in pages, `from` included and `to` not. */
function listOf(ids: readonly string[], sizeOfPages = 50) {
  const requests: Query[] = [];
  const newestFirst = ids.toSorted().reverse();
  const get = async (path: string, query: Query = {}) => {
    expect(path).toBe('/settings/leads');
    requests.push(query);
    const [from, to] = [query.from, query.to].map((at) =>
      at === undefined ? undefined : Date.parse(String(at)),
    );
    const range = leadIdRange(from, to, query.cursor as string | undefined);
    const matching = newestFirst.filter((id) => range && id >= range.oldest && id <= range.newest);
    const rows = matching.slice(0, Math.min(sizeOfPages, Number(query.limit)));
    const cursor = rows.length < matching.length ? rows.at(-1) : undefined;
    return { leads: rows.map(neighbour), cursor };
  };
  const search = (submissionId: string, query: Query = {}): Search => ({
    client: { get: get as Search['client']['get'] },
    query,
    submissionId,
    signal: new AbortController().signal,
  });
  return { search, requests };
}

describe('neighbors in a loaded list', () => {
  const [c, b, a] = ['c', 'b', 'a'].map(neighbour) as [Neighbour, Neighbour, Neighbour];
  const rows = [c, b, a];

  test('are the rows above and below', () => {
    expect(neighboursIn({ rows, isFirst: true, mayHaveMore: true }, 'b')).toEqual({
      newer: c,
      older: a,
    });
  });

  test('end with the list, unless older leads may follow', () => {
    expect(neighboursIn({ rows, isFirst: true, mayHaveMore: false }, 'c')).toEqual({
      newer: undefined,
      older: b,
    });
    expect(Object.keys(neighboursIn({ rows, isFirst: true, mayHaveMore: false }, 'a'))).toEqual([
      'newer',
      'older',
    ]);
    expect(Object.keys(neighboursIn({ rows, isFirst: true, mayHaveMore: true }, 'a'))).toEqual(['newer']);
  });

  test('are unknown for a lead that the list does not have', () => {
    expect(neighboursIn({ rows, isFirst: true, mayHaveMore: false }, 'd')).toEqual({});
  });
});

describe('neighbors without a loaded list', () => {
  test('an ID tells when the lead was received', () => {
    expect(receivedAtOf(idAt(NOW, 7))).toBe(NOW);
  });

  test('are the next lead in both directions, at any distance and density', async () => {
    const gap = fc.oneof(fc.constant(0), fc.nat(2_000), fc.nat(30 * 86_400_000));
    await fc.assert(
      fc.asyncProperty(
        fc.array(gap, { minLength: 1, maxLength: 150 }),
        fc.nat(),
        fc.integer({ min: 1, max: 50 }),
        async (gaps, place, sizeOfPages) => {
          const ids = gaps.map((_, index) => {
            const ago = gaps.slice(0, index + 1).reduce((sum, length) => sum + length, 0);
            return idAt(NOW - ago, gaps.length - index);
          });
          const index = place % ids.length;
          const { search } = listOf(ids, Math.max(10, sizeOfPages));
          const here = search(ids[index] as string);
          expect(idOf(await findOlder(here))).toBe(ids[index + 1]);
          expect(idOf(await findNewer(here, NOW))).toBe(ids[index - 1]);
        },
      ),
    );
  });

  test('are found among 20,000 leads with few requests', async () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => idAt(NOW - index * 60_000));
    const { search, requests } = listOf(ids);
    const here = search(ids[15_000] as string);
    expect(await findNewer(here, NOW)).toEqual(neighbour(ids[14_999] as string));
    expect(await findOlder(here)).toEqual(neighbour(ids[15_001] as string));
    expect(requests.length).toBeLessThan(10);
  });

  test('stay within the time range and keep the rest of the filter', async () => {
    const ids = [0, 1, 2, 3, 4].map((hours) => idAt(NOW - hours * 3_600_000));
    const { search, requests } = listOf(ids);
    const range = { from: new Date(NOW - 3 * 3_600_000).toISOString(), to: new Date(NOW).toISOString() };
    const of = (index: number) => search(ids[index] as string, { ...range, clean: true });
    expect(await findNewer(of(1), NOW)).toBeUndefined();
    expect(idOf(await findNewer(of(2), NOW))).toBe(ids[1]);
    expect(idOf(await findOlder(of(2)))).toBe(ids[3]);
    expect(await findOlder(of(3))).toBeUndefined();
    // A lead outside the range leads into it.
    expect(idOf(await findOlder(of(0)))).toBe(ids[1]);
    expect(idOf(await findNewer(of(4), NOW))).toBe(ids[3]);
    expect(requests.every(({ clean }) => clean === true)).toBe(true);
  });

  test('are given up after five empty pages', async () => {
    let requests = 0;
    const get = async () => {
      requests += 1;
      return { leads: [], cursor: 'more' };
    };
    const { search } = listOf([]);
    const here = { ...search(idAt(NOW)), client: { get: get as Search['client']['get'] } };
    expect(await findOlder(here)).toBeUndefined();
    expect(await findNewer(here, NOW)).toBeUndefined();
    expect(requests).toBe(10);
  });
});

test('arrows go to the newer and the older lead; with a modifier they belong to the browser', () => {
  const held = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, defaultPrevented: false };
  const keys = ['ArrowLeft', 'ArrowRight', 'Enter'].map((key) => directionOf({ ...held, key }));
  expect(keys).toEqual(['newer', 'older', undefined]);
  for (const name of Object.keys(held)) {
    expect(directionOf({ ...held, key: 'ArrowLeft', [name]: true })).toBeUndefined();
  }
});
