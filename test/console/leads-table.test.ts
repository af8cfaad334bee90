import { describe, expect, test } from '@jest/globals';
import {
  columnsOf,
  displayOf,
  mostUsedKeys,
  narrowColumns,
  rememberedPreferences,
  rememberPreferences,
  rowsOf,
} from '../../console/src/pages/leads/table/lead-columns.ts';
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
import { toLeadTable } from '../../lambdas/settings/leads/lead-row.ts';

describe('columns', () => {
  function pageOf(...bodies: readonly string[]) {
    return toLeadTable(
      bodies.map((body, index) => ({
        lead: {
          submissionId: `lead-${index}`,
          formId: 'form_1',
          workspaceId: 'ws_1',
          receivedAt: '2026-11-15T12:00:00Z',
          surface: '1b',
          score: 50,
          clean: true,
          signals: [],
          body,
        } as unknown as Parameters<typeof toLeadTable>[0][number]['lead'],
        state: 'pending' as const,
      })),
    );
  }

  const visible = (shown: readonly { id: string; visible: boolean }[]) =>
    shown.filter((column) => column.visible).map(({ id }) => id);

  test('configured keys come first, under their labels, then those that most of the loaded leads have', () => {
    const columns = columnsOf(
      [
        { key: 'mail', label: 'E-mail', role: 'email' },
        { key: 'fax', label: undefined, role: undefined },
      ],
      [
        pageOf('{"once":"x","colour":"","name":"Ada","mail":"a@b.co","":"nameless"}'),
        pageOf('{"colour":"red","name":"Bob"}', '{"colour":"blue","name":"Cy"}'),
      ],
    );
    expect(columns.filter(({ key }) => key !== undefined).map(({ key, label }) => [key, label])).toEqual([
      ['mail', 'E-mail'],
      ['fax', 'fax'],
      ['name', 'name'],
      ['colour', 'colour'],
      ['once', 'once'],
      ['', '(no name)'],
    ]);
  });

  test("a row has its values regardless of its page's columns", () => {
    const rows = rowsOf([pageOf('{"a":"1","b":"2"}'), pageOf('{"b":"3","__proto__":"4"}')]);
    expect(rows.map(({ values }) => [...values])).toEqual([
      [
        ['a', '1'],
        ['b', '2'],
      ],
      [
        ['b', '3'],
        ['__proto__', '4'],
      ],
    ]);
  });

  test('by default, shows configured keys, then the most used ones, and never the test mark', () => {
    const page = pageOf('{"rare":"x","_test":true,"often":"1"}', '{"often":"2","_test":true}');
    const fields = [{ key: 'set', label: undefined, role: undefined }];
    expect(mostUsedKeys(fields, page)).toEqual(['set', 'often', 'rare']);
    expect(mostUsedKeys([], undefined)).toEqual([]);
    const columns = columnsOf([], [pageOf('{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}')]);
    const shown = visible(displayOf(columns, { chosen: undefined, often: ['f', 'a', 'b', 'c', 'd', 'e'] }));
    expect(shown.filter((id) => id.startsWith('key:'))).toEqual([
      'key:f',
      'key:a',
      'key:b',
      'key:c',
      'key:d',
    ]);
    expect(shown.slice(0, 2)).toEqual(['own:received', 'own:score']);
    expect(shown.slice(-3)).toEqual(['own:clean', 'own:enrichment', 'own:surface']);
  });

  test('shows the chosen columns in the chosen order and offers the others', () => {
    const chosen = ['own:score', 'key:b', 'own:received'];
    const columns = columnsOf([], [pageOf('{"a":1,"b":2}')], chosen);
    const display = displayOf(columns, { chosen, often: ['a'] });
    expect(visible(display)).toEqual(chosen);
    expect(display.map(({ id }) => id).sort()).toEqual(columns.map(({ id }) => id).sort());
  });

  test('a chosen key stays even if no visible lead has it', () => {
    const chosen = ['own:received', 'key:gone'];
    const columns = columnsOf([], [pageOf('{"a":1}')], chosen);
    expect(visible(displayOf(columns, { chosen, often: [] }))).toEqual(chosen);
  });

  test('the column that links to a lead cannot be hidden', () => {
    const columns = columnsOf([], [pageOf('{"a":1}')]);
    expect(visible(displayOf(columns, { chosen: ['key:a'], often: [] }))).toEqual(['own:received', 'key:a']);
  });

  test('on a phone the first field replaces the score', () => {
    const columns = columnsOf([], [pageOf('{"a":1}')]);
    const display = displayOf(columns, { chosen: undefined, often: ['a'] });
    expect(visible(display).slice(0, 3)).toEqual(['own:received', 'own:score', 'key:a']);
    expect(visible(narrowColumns(display)).slice(0, 2)).toEqual(['own:received', 'key:a']);
  });

  function memory() {
    const kept = new Map<string, string>();
    return {
      kept,
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
  }

  test('a column choice is stored per form', () => {
    const store = memory();
    const chosen = { columns: ['own:received', 'key:__proto__'], wrapLines: true };
    rememberPreferences(store, 'form_1', chosen);
    expect(rememberedPreferences(store, 'form_1')).toEqual(chosen);
    expect(rememberedPreferences(store, 'form_2')).toBeUndefined();
  });

  test.each(['', 'null', '{', '[]', '{"columns":"x","wrapLines":true}', '{"columns":[1],"wrapLines":true}'])(
    'what somebody else wrote there is no choice: %s',
    (text) => {
      const store = memory();
      store.setItem('lead-ingest.columns.form_1', text);
      expect(rememberedPreferences(store, 'form_1')).toBeUndefined();
    },
  );

  test('works without storage', () => {
    const full = {
      getItem: () => {
        throw new Error('denied');
      },
      setItem: () => {
        throw new Error('full');
      },
    };
    rememberPreferences(full, 'form_1', { columns: [], wrapLines: false });
    expect(rememberedPreferences(full, 'form_1')).toBeUndefined();
  });
});

describe('the filter', () => {
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
  ])('ignores an invalid value in the URL: %s', (address) => {
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
});
