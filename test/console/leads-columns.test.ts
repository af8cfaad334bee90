import { expect, test } from '@jest/globals';
import {
  columnsOf,
  displayOf,
  mostUsedKeys,
  narrowColumns,
  rememberedPreferences,
  rememberPreferences,
  rowsOf,
} from '../../console/src/pages/leads/table/lead-columns.ts';
import { toLeadTable } from '../../lambdas/settings/leads/lead-row.ts';

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

test('with no choice yet the configured keys show, then those with values most often, and never the test mark', () => {
  const page = pageOf('{"rare":"x","_test":true,"often":"1"}', '{"often":"2","_test":true}');
  const fields = [{ key: 'set', label: undefined, role: undefined }];
  expect(mostUsedKeys(fields, page)).toEqual(['set', 'often', 'rare']);
  expect(mostUsedKeys([], undefined)).toEqual([]);
  const columns = columnsOf([], [pageOf('{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}')]);
  const shown = visible(displayOf(columns, { chosen: undefined, often: ['f', 'a', 'b', 'c', 'd', 'e'] }));
  expect(shown.filter((id) => id.startsWith('key:'))).toEqual(['key:f', 'key:a', 'key:b', 'key:c', 'key:d']);
  expect(shown.slice(0, 2)).toEqual(['own:received', 'own:score']);
  expect(shown.slice(-3)).toEqual(['own:clean', 'own:enrichment', 'own:surface']);
});

test('what was chosen shows in the chosen order; all else is there to be chosen', () => {
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

test('the way to a lead cannot be hidden', () => {
  const columns = columnsOf([], [pageOf('{"a":1}')]);
  expect(visible(displayOf(columns, { chosen: ['key:a'], often: [] }))).toEqual(['own:received', 'key:a']);
});

test('on a phone the first field stands where the score does elsewhere', () => {
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
