import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
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
  retentionNotice,
  toDrafts,
  toFields,
} from '../../console/src/pages/forms/field-drafts.ts';
import { formOptions } from '../../console/src/pages/leads/leads-navigation.ts';
import { countLeadsByForm, formNames, weekAgo } from '../../console/src/shared/forms.ts';
import { Fault } from '../../lambdas/owner-api/fields.ts';

const form = (formId: string, name: string, archivedAt?: string) => ({
  formId,
  name,
  slug: `${formId}-slug`,
  archivedAt,
});
const contact = form('f1', 'Contact us');
const older = form('f2', 'Contact us', '2026-11-14T12:00:00Z');
const newer = form('f3', 'Newsletter', '2026-11-15T12:00:00Z');

describe('names of forms', () => {
  test('mark archived forms, so a new form can have the same name', () => {
    expect([...formNames([contact, older])]).toEqual([
      ['f1', 'Contact us'],
      ['f2', 'Contact us (archived)'],
    ]);
  });

  test('include the slug if names are equal', () => {
    const forms = [contact, form('f4', 'Contact us'), older, form('f5', 'Contact us', newer.archivedAt)];
    expect([...formNames(forms).values()]).toEqual([
      'Contact us (f1-slug)',
      'Contact us (f4-slug)',
      'Contact us (f2-slug, archived)',
      'Contact us (f5-slug, archived)',
    ]);
  });
});

describe('the choice of a form', () => {
  test('offers archived forms in a group, the last one first', () => {
    expect(formOptions([contact], [older, newer])).toEqual([
      { value: 'f1', label: 'Contact us' },
      {
        label: 'Archived forms',
        options: [
          { value: 'f3', label: 'Newsletter (archived)' },
          { value: 'f2', label: 'Contact us (archived)' },
        ],
      },
    ]);
  });

  test('has no group if no form is archived', () => {
    expect(formOptions([contact], [])).toEqual([{ value: 'f1', label: 'Contact us' }]);
  });
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

  test('suggests keys of leads that are not configured', () => {
    expect(newKeys([draft('mail')], ['mail', 'name', '__proto__'])).toEqual(['name', '__proto__']);
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
    const document = parse(readFileSync('docs/api/settings.openapi.yaml', 'utf8'));
    const roles: string[] = document.components.schemas.Field.properties.role.enum;
    expect(ROLE_OPTIONS.map(({ value }) => value)).toEqual(['', ...roles]);
  });

  test('leads are summed by form, over a week that begins on the hour', () => {
    const count = (formId: string, accepted: number) => ({
      at: '2026-11-15T00:00:00Z',
      formId,
      accepted,
      clean: 0,
      bands: [0, 0, 0, 0, 0],
    });
    expect([...countLeadsByForm({ counts: [count('a', 2), count('b', 1), count('a', 3)] })]).toEqual([
      ['a', 5],
      ['b', 1],
    ]);
    expect(weekAgo(Date.parse('2026-11-15T12:34:56Z'))).toBe('2026-11-08T12:00:00.000Z');
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

  test('the notice says that it applies to new leads', () => {
    expect(retentionNotice(1)).toBe(
      'New leads are deleted after 1 day. Existing leads keep their current deletion date.',
    );
    expect(retentionNotice(1_000)).toMatch(/^New leads are deleted after 1,000 days\./);
    expect(retentionNotice(null)).toMatch(/^New leads are kept forever\. Existing leads keep/);
  });
});
