import { describe, expect, test } from '@jest/globals';
import {
  countOtherFilters,
  dayRangeProblem,
  type InboxFilter,
  isFiltered,
  readFilter,
  readScore,
  readWords,
  toQuery,
  writeFilter,
} from '../../console/src/pages/leads/inbox/inbox-filter.ts';
import { moment } from '../../lambdas/owner-api/fields.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const UTC = { now: NOW, inUtc: true };

const FILTERS: readonly InboxFilter[] = [
  {},
  { q: 'navy yards', period: 'yesterday' },
  { q: '50% & more+', form: 'form_1', period: 'today', enrichment: 'failed' },
  { period: '7d', clean: true, minScore: 0, maxScore: 100 },
  { period: '30d', clean: false },
  { period: { firstDay: '2026-11-01', lastDay: '2026-11-15' }, minScore: 40 },
];

const NOTHING = {
  q: undefined,
  form: undefined,
  period: undefined,
  clean: undefined,
  minScore: undefined,
  maxScore: undefined,
  enrichment: undefined,
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
    'form=',
    'period=tomorrow',
    'from=2026-11-01',
    'from=yesterday&to=today',
    'from=2026-11-02&to=2026-11-01',
    'from=2026-02-30&to=2026-03-01',
    'from=0001-01-01&to=2026-11-01',
    'from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z',
    'clean=yes',
    'minScore=-1&maxScore=101',
    'minScore=4.5&maxScore=1e1',
    'enrichment=constructor',
  ])('ignores an invalid value in the URL: %s', (address) => {
    const filter = readFilter(new URLSearchParams(address));
    expect(isFiltered(filter)).toBe(false);
    expect(writeFilter(filter).toString()).toBe('');
  });

  test('has the words without extra blanks, as many as the API takes', () => {
    expect(readWords('  navy \t yards ')).toBe('navy yards');
    expect(readWords(' \n ')).toBeUndefined();
    expect([...(readWords('😀'.repeat(300)) ?? '')]).toHaveLength(200);
  });

  test('the search and the period are not counted among the others', () => {
    expect(countOtherFilters({ q: 'ada', period: 'today' })).toBe(0);
    expect(countOtherFilters({ form: 'form_1', clean: false, minScore: 0 })).toBe(3);
  });

  test('scores are whole numbers from 0 to 100', () => {
    expect(['0', '7', '100'].map(readScore)).toEqual([0, 7, 100]);
    expect(['', ' ', '101', '-1', '1.5', 'A'].map(readScore)).toEqual(Array(6).fill(undefined));
  });

  test('an invalid range gets a message', () => {
    expect(dayRangeProblem({ firstDay: '2026-11-02', lastDay: '2026-11-01' })).toMatch(/not be before/);
    expect(dayRangeProblem({ firstDay: '2026-11-02', lastDay: '' })).toMatch(/a first and a last day/);
    expect(dayRangeProblem({ firstDay: '2026-11-02', lastDay: '2026-11-02' })).toBeUndefined();
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
