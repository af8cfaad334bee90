import { expect, test } from '@jest/globals';
import {
  dateRangeProblem,
  isFiltered,
  type LeadFilter,
  readFilter,
  readScore,
  toQuery,
  writeFilter,
} from '../../console/src/pages/leads/table/lead-filter.ts';
import { moment } from '../../lambdas/settings/fields.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');

const FILTERS: readonly LeadFilter[] = [
  {},
  { received: { type: 'relative', amount: 90, unit: 'minute' }, clean: true },
  { received: { type: 'relative', amount: 2, unit: 'week' }, minScore: 0, maxScore: 100 },
  {
    received: {
      type: 'absolute',
      startDate: '2026-11-01T00:00:00+01:00',
      endDate: '2026-11-15T00:00:00-05:30',
    },
    clean: false,
    minScore: 40,
  },
];

test.each(FILTERS)('a URL restores the filter: %j', (filter) => {
  expect(readFilter(new URLSearchParams(writeFilter(filter).toString()))).toEqual({
    received: undefined,
    clean: undefined,
    minScore: undefined,
    maxScore: undefined,
    ...filter,
  });
});

test.each([
  'last=0-day',
  'last=-7-day',
  'last=7-fortnight',
  'last=7-constructor',
  'last=9999999-day',
  'from=2026-11-01T00:00:00Z',
  'from=yesterday&to=today',
  'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z',
  'from=2026-11-01T00:00:00&to=2026-11-02T00:00:00',
  'clean=yes',
  'minScore=-1&maxScore=101',
  'minScore=4.5&maxScore=1e1',
])('what an address says wrongly counts as not said: %s', (address) => {
  const filter = readFilter(new URLSearchParams(address));
  expect(isFiltered(filter)).toBe(false);
  expect(writeFilter(filter).toString()).toBe('');
});

test('a range that ends now is queried by its start only', () => {
  const filter = { received: { type: 'relative', amount: 7, unit: 'day' }, clean: false } as const;
  expect(toQuery(filter, NOW)).toEqual({ from: '2026-11-08T12:00:00.000Z', clean: false });
});

test('a range before 1970 starts at 1970', () => {
  const received = { type: 'relative', amount: 999_999, unit: 'week' } as const;
  expect(toQuery({ received }, NOW)).toEqual({ from: '1970-01-01T00:00:00.000Z' });
});

test('the API accepts the queried times', () => {
  for (const filter of FILTERS) {
    const { from, to } = toQuery(filter, NOW);
    for (const at of [from, to]) if (at !== undefined) expect(moment(at)).toBeGreaterThan(0);
  }
});

test('scores are whole numbers from 0 to 100', () => {
  expect(['0', '7', '100'].map(readScore)).toEqual([0, 7, 100]);
  expect(['', ' ', '101', '-1', '1.5', 'A'].map(readScore)).toEqual(Array(6).fill(undefined));
});

test('an invalid range gets a message', () => {
  const range = { type: 'absolute', startDate: '2026-11-02T00:00:00Z', endDate: '2026-11-01T00:00:00Z' };
  expect(dateRangeProblem({ ...range, type: 'absolute' })).toBe('The end must be after the start.');
  expect(dateRangeProblem({ ...range, type: 'absolute', endDate: '' })).toMatch(/a start and an end/);
  expect(dateRangeProblem({ type: 'relative', amount: Number.NaN, unit: 'day' })).toMatch(/whole number/);
  expect(dateRangeProblem(null)).toBeDefined();
  expect(dateRangeProblem({ type: 'relative', amount: 1, unit: 'day' })).toBeUndefined();
});
