import { describe, expect, test } from '@jest/globals';
import { ApiProblem } from '../../console/src/api/problem.ts';
import {
  addDrafts,
  apiProblems,
  draftProblems,
  fieldProblem,
  MAX_FIELDS,
  moveDraft,
  newKeys,
  otherProblem,
  ROLE_OPTIONS,
  readRetention,
  toDrafts,
  toFields,
} from '../../console/src/pages/forms/field-drafts.ts';
import { formNames } from '../../console/src/shared/forms.ts';
import { Fault } from '../../lambdas/owner-api/fields.ts';
import { readApiDocument } from '../api-documents.ts';

const form = (formId: string, name: string, archivedAt?: string) => ({
  formId,
  name,
  slug: `${formId}-slug`,
  archivedAt,
});

test('names of forms say what is archived, and include the slug if they are equal', () => {
  const archivedAt = '2026-11-15T12:00:00Z';
  const live = [form('f1', 'Contact us'), form('f2', 'Contact us'), form('f3', 'News')];
  const archived = [
    form('f4', 'News', archivedAt),
    form('f5', 'Fair', archivedAt),
    form('f6', 'Fair', archivedAt),
  ];
  expect([...formNames([...live, ...archived]).values()]).toEqual([
    ...['Contact us (f1-slug)', 'Contact us (f2-slug)', 'News', 'News (archived)'],
    ...['Fair (f5-slug, archived)', 'Fair (f6-slug, archived)'],
  ]);
});

describe('the fields of a form', () => {
  const draft = (key: string, label = '', role = '') => ({ id: 0, key, label, role });

  test('omits empty values', () => {
    const fields = [
      { key: 'mail', label: 'E-mail', role: 'email' as const },
      { key: 'x', label: undefined, role: undefined },
    ];
    expect(toFields(toDrafts(fields))).toEqual([
      { key: 'mail', label: 'E-mail', role: 'email' },
      { key: 'x' },
    ]);
    expect(toFields([draft(' k ', '  ')])).toEqual([{ key: ' k ' }]);
  });

  test('new rows get unique IDs, up to the maximum', () => {
    const drafts = addDrafts(toDrafts([]), ['a', 'b']);
    const more = addDrafts(moveDraft(drafts, 0, 1), ['c']);
    expect(more.map(({ key }) => key)).toEqual(['b', 'a', 'c']);
    expect(new Set(more.map(({ id }) => id)).size).toBe(3);
    const keys = Array.from({ length: 150 }, (_, index) => `k${index}`);
    expect(addDrafts([], keys)).toHaveLength(MAX_FIELDS);
  });

  test('rows move up and down, and not out of the list', () => {
    const drafts = ['a', 'b', 'c'].map((key, id) => ({ ...draft(key), id }));
    const order = (from: number, to: number) =>
      moveDraft(drafts, from, to)
        .map(({ key }) => key)
        .join('');
    expect([order(0, 1), order(2, 1), order(0, -1), order(2, 3), order(9, 0)]).toEqual([
      'bac',
      'acb',
      'abc',
      'abc',
      'abc',
    ]);
  });

  test('does not suggest the test mark or a key without a name', () => {
    expect(newKeys([], ['name', '_test', ''])).toEqual(['name']);
  });

  test('shows invalid input at its row', () => {
    const problems = draftProblems([
      draft('a'),
      draft(''),
      draft('a'),
      draft('x'.repeat(201)),
      draft('😀'.repeat(200), '😀'.repeat(101)),
    ]);
    expect([...problems.keys()]).toEqual(['1.key', '2.key', '3.key', '4.label']);
    expect(draftProblems([draft('a'), draft('b', 'Same'), draft('c', 'Same')]).size).toBe(0);
  });

  test('shows an API error at its row', () => {
    const error = new ApiProblem(400, {
      errors: [
        { field: 'fields[2].key', problem: 'is configured twice' },
        { field: 'fields[0].role', problem: 'must be one of email, phone' },
        { field: 'fields[1]', problem: 'must be an object' },
        { field: 'fields', problem: new Fault('can have at most 100 entries').message },
      ],
    });
    expect([...apiProblems(error)]).toEqual([
      ['2.key', 'Is configured twice.'],
      ['0.role', 'Must be one of email, phone.'],
      ['1.key', 'Must be an object.'],
    ]);
    expect(apiProblems(new Error('x')).size).toBe(0);
  });

  test('a problem is shown either at its field or elsewhere', () => {
    const atName = new ApiProblem(400, {
      errors: [{ field: 'name', problem: 'must have 1 to 100 characters' }],
    });
    expect(fieldProblem(atName, 'name')).toBe('Must have 1 to 100 characters.');
    expect(otherProblem(atName, 'name')).toBeUndefined();
    const conflict = new ApiProblem(409, { title: 'Not possible', detail: 'The form is archived.' });
    expect(fieldProblem(conflict, 'name')).toBeUndefined();
    expect(otherProblem(conflict, 'name')).toBe('The form is archived.');
    expect(otherProblem(null, 'name')).toBeUndefined();
  });

  test('every role of the API can be chosen', () => {
    const document = readApiDocument<{ components: { schemas: { Field: object } } }>('settings');
    expect(document.components.schemas.Field).toMatchObject({
      properties: { role: { enum: ROLE_OPTIONS.map(({ value }) => value).slice(1) } },
    });
    expect(ROLE_OPTIONS[0]?.value).toBe('');
  });
});

describe('retention', () => {
  test.each([
    ['', null],
    ['  ', null],
    ['1', 1],
    [' 90 ', 90],
    ['3650', 3_650],
  ])('%j keeps leads for %p days', (typed, days) => {
    expect(readRetention(typed)).toEqual({ days });
  });

  test.each(['0', '-1', '3651', '1.5', '1e3', 'a week', '9999999999'])(
    '%j is refused, with the bounds',
    (typed) => {
      expect(readRetention(typed)).toEqual({
        problem: 'Enter a whole number from 1 to 3,650, or leave empty.',
      });
    },
  );
});
