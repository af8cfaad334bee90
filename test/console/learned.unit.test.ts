import { describe, expect, test } from '@jest/globals';
import type { Learning } from '../../console/src/api/types.ts';
import { appliesTo, learnedRows, SWITCH_MEANING } from '../../console/src/pages/senders/learned-words.ts';
import { MAX_LEARNED } from '../../lambdas/scoring/learned.ts';

const LEARNED: Pick<Learning, 'words' | 'signals'> = {
  words: [
    { word: 'backlinks', points: -7, formId: null },
    { word: 'pergola', points: 5, formId: null },
    { word: 'pergola', points: -3, formId: 'form_b' },
    { word: 'quote', points: 4, formId: null },
    { word: 'quote', points: 0, formId: 'form_b' },
    { word: 'quote', points: 2, formId: 'form_a' },
  ],
  signals: [
    { name: 'email_free_mail', points: 6, formId: null },
    { name: 'own_link', points: -7, formId: 'form_a' },
  ],
};

describe('what was learned', () => {
  test('has an ID per row, also if a word is called like a finding', () => {
    const same = { words: [{ word: 'complete', points: 3, formId: null }], signals: [] };
    const both = { ...same, signals: [{ name: 'complete', points: 3, formId: null }] };
    for (const each of [LEARNED, both]) {
      const { raises, lowers } = learnedRows(each);
      const ids = [...raises, ...lowers].map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect(learnedRows(both).raises.map(({ exceptFormIds }) => exceptFormIds)).toEqual([[], []]);
  });

  test('says where it applies: forms with points of their own are exceptions, also if those are 0', () => {
    const names = new Map([
      ['form_a', 'Contact us'],
      ['form_b', 'Suppliers'],
    ]);
    const { raises, lowers } = learnedRows(LEARNED);
    const where = [...raises, ...lowers].map((row) => appliesTo(row, (formId) => names.get(formId)));
    expect(where).toEqual([
      'All forms',
      'All forms except Suppliers',
      'All forms except Suppliers and Contact us',
      'Only Contact us',
      'All forms',
      'Only Contact us',
      'Only Suppliers',
    ]);
  });

  test('names an archived form as one until its name is loaded, and counts many', () => {
    const unknown = () => undefined;
    expect(appliesTo({ formId: 'form_a', exceptFormIds: [] }, unknown)).toBe('Only Archived form');
    expect(appliesTo({ formId: null, exceptFormIds: ['a', 'b', 'c'] }, unknown)).toBe('All forms except 3');
  });
});

test('the page says how much verdicts can change, as scoring has it', () => {
  expect(SWITCH_MEANING).toContain(`at most ${MAX_LEARNED} points`);
});
