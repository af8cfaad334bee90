import { describe, expect, test } from '@jest/globals';
import type { Query } from '../../console/src/api/client.ts';
import type { InboxLead } from '../../console/src/api/types.ts';
import {
  type InboxFilter,
  isFiltered,
  isTooShort,
  readFilter,
  toQuery,
  withSort,
  writeFilter,
} from '../../console/src/pages/leads/inbox/inbox-filter.ts';
import {
  countNew,
  type InboxPage,
  readInbox,
  watchQuery,
  withChanges,
} from '../../console/src/pages/leads/inbox/read-inbox.ts';
import { readQuery } from '../../lambdas/leads/search/search-query.ts';
import { moment } from '../../lambdas/owner-api/fields.ts';

const { signal } = new AbortController();
const QUERY = { q: 'navy' };
const NOW = Date.parse('2026-11-15T12:00:00Z');

const lead = (submissionId: string, more: Partial<InboxLead> = {}): InboxLead => ({
  submissionId,
  formId: 'form_1',
  receivedAt: '2026-11-15T12:00:00.000Z',
  surface: '1b',
  score: 80,
  status: 'new',
  grade: 'A',
  clean: true,
  enrichment: 'enriched',
  name: undefined,
  company: undefined,
  email: undefined,
  phone: undefined,
  ...more,
});

/** How far back the API has searched after so many parts. */
const dayOf = (parts: number) => new Date(NOW - parts * 24 * 60 * 60 * 1000).toISOString();

/** An API that returns parts with these numbers of leads, and what was asked of it. */
function apiOf(...counts: readonly number[]) {
  const asked: Query[] = [];
  async function get<T>(_path: string, query: Query = {}, aborted?: AbortSignal): Promise<T> {
    aborted?.throwIfAborted();
    const at = asked.push(query) - 1;
    const count = counts[at] ?? 0;
    const leads = Array.from({ length: count }, (_, row) => lead(`${at}-${row}`));
    const isShort = count < Number(query.limit);
    const more = { cursor: `c${at + 1}`, ...(isShort && { searchedTo: dayOf(at + 1) }) };
    return { leads, ...(at < counts.length - 1 && more) } as T;
  }
  return { client: { get }, asked };
}

const read = (
  client: ReturnType<typeof apiOf>['client'],
  more: Partial<Parameters<typeof readInbox>[1]> = {},
) => readInbox(client, { query: QUERY, cursor: undefined, signal, ...more });

describe('a page of leads', () => {
  test('is filled from several parts, never beyond 50, and shows each part', async () => {
    const { client, asked } = apiOf(20, 0, 25, 5, 50);
    const parts: InboxPage[] = [];
    const { leads, next, searchedTo } = await read(client, { onPart: (part) => parts.push(part) });
    const pages = [{ limit: 50 }, { cursor: 'c1', limit: 30 }, { cursor: 'c2', limit: 30 }];
    expect(asked).toEqual([...pages, { cursor: 'c3', limit: 5 }].map((each) => ({ ...QUERY, ...each })));
    expect(leads).toHaveLength(50);
    expect([next, searchedTo]).toEqual(['c4', undefined]);
    expect(parts.map((part) => [part.leads.length, part.next])).toEqual([
      [20, 'c1'],
      [20, 'c2'],
      [45, 'c3'],
    ]);
  });

  test('of a search goes on by itself however little it finds, and says how far back it got', async () => {
    const { client, asked } = apiOf(0, 0, 0, 0, 0, 0, 0, 1);
    const parts: InboxPage[] = [];
    const { leads, next, searchedTo } = await read(client, { onPart: (part) => parts.push(part) });
    expect(asked).toHaveLength(8);
    expect(leads).toHaveLength(1);
    expect([next, searchedTo]).toEqual([undefined, undefined]);
    expect(parts.map((part) => part.searchedTo)).toEqual([1, 2, 3, 4, 5, 6, 7].map(dayOf));
  });

  test('ends at once if its search is stopped, with what was found and where to go on', async () => {
    const { client } = apiOf(2, 1, 1, 1);
    const stop = new AbortController();
    const onPart = ({ leads }: InboxPage) => leads.length === 3 && stop.abort();
    const page = await read(client, { stop: stop.signal, onPart });
    expect(page).toMatchObject({ next: 'c2', searchedTo: dayOf(2) });
    expect(page.leads).toHaveLength(3);
  });

  test('is not stopped before its first part, since nothing says where to go on', async () => {
    const { client, asked } = apiOf(2, 1, 1);
    const page = await read(client, { stop: AbortSignal.abort() });
    expect(asked).toHaveLength(1);
    expect(page).toMatchObject({ next: 'c1', searchedTo: dayOf(1) });
  });

  test('fails if it is left, stopped or not', async () => {
    const { client } = apiOf(2, 1, 1);
    const left = new AbortController();
    const reading = read(client, {
      signal: left.signal,
      stop: AbortSignal.any([left.signal]),
      onPart: () => left.abort(),
    });
    await expect(reading).rejects.toThrow('aborted');
  });

  test('goes on where an error interrupted it', async () => {
    const { client, asked } = apiOf(5);
    const found = { leads: [lead('x')], next: 'c7', searchedTo: dayOf(7) };
    expect((await read(client, { found })).leads).toHaveLength(6);
    expect(asked).toEqual([{ ...QUERY, cursor: 'c7', limit: 49 }]);
  });

  test('is refreshed as far back as it was searched before', async () => {
    const { client, asked } = apiOf(1, 1, 1, 1);
    const page = await read(client, { backTo: dayOf(2) });
    expect(asked).toHaveLength(2);
    expect(page).toMatchObject({ next: 'c2', searchedTo: dayOf(2) });
  });
});

describe('new leads', () => {
  const page = (ids: readonly string[], next?: string): InboxPage => ({
    leads: ids.map((id) => lead(id)),
    next,
  });
  const watched = (...ids: readonly string[]) => ids.map((id) => lead(id));

  test('are those that the page does not have, also some that were listed late', () => {
    expect(countNew(page(['5', '3']), watched('7', '6', '5', '4', '3'))).toBe(3);
    expect(countNew(page(['5', '3']), watched('5', '3'))).toBe(0);
    expect(countNew(page([]), watched('1'))).toBe(1);
  });

  test('are not those of the next page', () => {
    expect(countNew(page(['5', '3'], 'c1'), watched('6', '5', '2', '1'))).toBe(1);
  });

  test('are looked for since shortly before the newest one shown', () => {
    const shown = page(['5', '3']);
    expect(watchQuery(QUERY, shown, NOW)).toEqual({ ...QUERY, from: '2026-11-15T11:59:00.000Z', limit: 50 });
    expect(watchQuery(QUERY, page([]), NOW)).toMatchObject({ from: '2026-11-15T11:55:00.000Z' });
  });

  test('are looked for since the oldest one that is being enriched, unless it hangs', () => {
    const pending = (receivedAt: string) => lead('3', { enrichment: 'pending', receivedAt });
    const leads = [lead('5'), pending('2026-11-15T11:55:00.000Z'), pending('2026-11-15T11:40:00.000Z')];
    expect(watchQuery(QUERY, { leads }, NOW)).toMatchObject({ from: '2026-11-15T11:55:00.000Z' });
  });

  test('are looked for only within the period', () => {
    const from = '2026-11-15T11:59:30.000Z';
    expect(watchQuery({ from }, page(['5']), NOW)).toMatchObject({ from });
    expect(watchQuery({ to: '2026-11-15T12:00:00.000Z' }, page(['5']), NOW)).toBeUndefined();
    expect(watchQuery({ to: '2026-11-16T00:00:00.000Z' }, page(['5']), NOW)).toBeDefined();
    expect(watchQuery({ from, sort: 'score' }, page(['5']), NOW)).toBeUndefined();
  });

  test('do not move those shown, which are kept up to date', () => {
    const shown = [lead('5', { enrichment: 'pending' }), lead('3')];
    const now = withChanges(shown, [lead('6'), lead('5', { enrichment: 'failed' })]);
    expect(now.map(({ submissionId, enrichment }) => [submissionId, enrichment])).toEqual([
      ['5', 'failed'],
      ['3', 'enriched'],
    ]);
  });
});

const UTC = { now: NOW, inUtc: true };

const FILTERS: readonly InboxFilter[] = [
  {},
  { q: 'navy yards', period: 'yesterday' },
  { q: '50% & more+', form: 'form_1', period: 'today', enrichment: 'failed' },
  { period: '7d', clean: true, minScore: 0, maxScore: 100 },
  { period: '30d', clean: false },
  { period: { firstDay: '2026-11-01', lastDay: '2026-11-15' }, minScore: 40 },
  { status: 'todo', clean: true },
  { period: '30d', status: 'new', reviewed: false, sort: 'score' },
];

const NOTHING = {
  q: undefined,
  form: undefined,
  period: undefined,
  clean: undefined,
  minScore: undefined,
  maxScore: undefined,
  enrichment: undefined,
  status: undefined,
  reviewed: undefined,
  sort: undefined,
};

describe('the filter of the inbox', () => {
  test.each(FILTERS)('a URL restores it: %j', (filter) => {
    expect(readFilter(new URLSearchParams(writeFilter(filter).toString()))).toEqual({
      ...NOTHING,
      ...filter,
    });
  });

  test.each([
    'q=%20%20',
    'period=tomorrow',
    'from=2026-11-01',
    'from=2026-11-02&to=2026-11-01',
    'from=2026-02-30&to=2026-03-01',
    'from=0001-01-01&to=2026-11-01',
    'clean=yes',
    'minScore=-1&maxScore=101',
    'minScore=4.5&maxScore=1e1',
    'enrichment=constructor',
    'status=open',
    'sort=score',
  ])('ignores an invalid value in the URL: %s', (address) => {
    const filter = readFilter(new URLSearchParams(address));
    expect(isFiltered(filter)).toBe(false);
    expect(writeFilter(filter).toString()).toBe('');
  });

  test.each(['a', 'a b', 'a-b', '!?', '7', 'ü', 'na', 'a bc', '70', '王', '김', 'の', 'b 李', 'Élan'])(
    'the words are too short if the API finds nothing for them: %s',
    (words) => {
      expect(isTooShort(words)).toBe(readQuery(words) === undefined);
    },
  );

  test('an order by score needs a period, and is no filter', () => {
    expect(withSort({}, 'score')).toEqual({ sort: 'score', period: '30d' });
    expect(withSort({ period: 'today' }, 'score')).toEqual({ sort: 'score', period: 'today' });
    expect(withSort({ period: 'today', sort: 'score' }, undefined)).toEqual({ period: 'today' });
    expect(isFiltered({ sort: 'score' })).toBe(false);
    expect(readFilter(new URLSearchParams('sort=score')).sort).toBeUndefined();
  });
});

describe('the query of a period', () => {
  const times = (period: InboxFilter['period'], clock = UTC) => {
    const { from, to } = toQuery({ period }, clock);
    return [from, to];
  };

  test('is whole days in UTC, if the owner chose UTC', () => {
    expect(times('today')).toEqual(['2026-11-15T00:00:00.000Z', undefined]);
    expect(times('yesterday')).toEqual(['2026-11-14T00:00:00.000Z', '2026-11-15T00:00:00.000Z']);
    expect(times('7d')).toEqual(['2026-11-09T00:00:00.000Z', undefined]);
    expect(times('30d')).toEqual(['2026-10-17T00:00:00.000Z', undefined]);
    expect(times({ firstDay: '2026-11-01', lastDay: '2026-11-01' })).toEqual([
      '2026-11-01T00:00:00.000Z',
      '2026-11-02T00:00:00.000Z',
    ]);
    expect(times(undefined)).toEqual([undefined, undefined]);
  });

  test('is whole days in local time otherwise, also if the clocks change', () => {
    const before = process.env.TZ;
    process.env.TZ = 'Europe/Berlin';
    try {
      const at = (text: string) => ({ now: Date.parse(text), inUtc: false });
      // Already the 16th in Berlin.
      expect(times('today', at('2026-11-15T23:30:00Z'))).toEqual(['2026-11-15T23:00:00.000Z', undefined]);
      expect(times('yesterday', at('2026-11-15T23:30:00Z'))).toEqual([
        '2026-11-14T23:00:00.000Z',
        '2026-11-15T23:00:00.000Z',
      ]);
      // A day of 25 hours.
      expect(times({ firstDay: '2026-10-25', lastDay: '2026-10-25' }, at('2026-11-15T12:00:00Z'))).toEqual([
        '2026-10-24T22:00:00.000Z',
        '2026-10-25T23:00:00.000Z',
      ]);
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });

  test('has times that the API accepts, and the other filters unchanged', () => {
    for (const filter of FILTERS) {
      const { from, to, ...rest } = toQuery(filter, UTC);
      for (const at of [from, to]) if (at !== undefined) expect(moment(at)).toBeGreaterThan(0);
      const { period: _period, ...others } = filter;
      expect(rest).toEqual(others);
    }
  });
});
