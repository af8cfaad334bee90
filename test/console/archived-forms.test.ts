import { describe, expect, test } from '@jest/globals';
import { formOptions } from '../../console/src/pages/leads/leads-navigation.ts';
import { formNames } from '../../console/src/shared/forms.ts';

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

describe('the form switcher', () => {
  test('offers archived forms in a group, the last one first', () => {
    const { here, options, isAlone } = formOptions(contact, [contact], [older, newer]);
    expect(isAlone).toBe(false);
    expect(here).toEqual({ value: 'f1', label: 'Contact us' });
    expect(options).toEqual([
      here,
      {
        label: 'Archived forms',
        options: [
          { value: 'f3', label: 'Newsletter (archived)' },
          { value: 'f2', label: 'Contact us (archived)' },
        ],
      },
    ]);
  });

  test('is not needed where there is no other form', () => {
    expect(formOptions(contact, [contact], [])).toMatchObject({ isAlone: true, options: [{ value: 'f1' }] });
    expect(formOptions(older, [], [older])).toMatchObject({ isAlone: true });
  });

  test('includes the current form before the lists are loaded', () => {
    expect(formOptions(older, [], [])).toMatchObject({ here: { label: 'Contact us (archived)' } });
  });
});
