import { describe, expect, test } from '@jest/globals';
import { messageOf, previewOf } from '#leads/search/lead-preview.ts';

const CONTACT = { name: 'Ada Byron', company: 'Analytical Engines', email: 'ada@engines.example' };

describe('the preview of a lead', () => {
  test.each([
    ['the message', { ...CONTACT, message: ' We need\n\n twelve \t engines. ' }, 'We need twelve engines.'],
    [
      'the longest other text',
      { ...CONTACT, plan: 'Team', topic: 'A quote for engines' },
      'A quote for engines',
    ],
    [
      'absent if there is only a contact',
      { ...CONTACT, phone: '+44 20 7946 0123', country: 'GB' },
      undefined,
    ],
    ['absent if there is no text', { ...CONTACT, message: '  ', consent: true, budget: 5_000 }, undefined],
    [
      'kept with its joiners',
      { ...CONTACT, message: 'Hi 👩\u200d💻 and علی\u200cرضا' },
      'Hi 👩\u200d💻 and علی\u200cرضا',
    ],
  ])('is %s', (_, fields, preview) => {
    expect(previewOf(fields)).toBe(preview);
  });

  test('is the field that the form calls its message', () => {
    const fields = { ...CONTACT, q1: 'Short', q2: 'A much longer answer to another question' };
    expect(previewOf(fields, { message: 'q1' })).toBe('Short');
  });

  test('has at most 140 characters and is never cut inside of one', () => {
    const preview = previewOf({ message: '👩\u200d💻'.repeat(200) }) ?? '';
    expect(preview).toBe(`${'👩\u200d💻'.repeat(139)}…`);
    expect(previewOf({ message: 'a'.repeat(140) })).toBe('a'.repeat(140));
    expect(previewOf({ message: 'a'.repeat(141) })).toBe(`${'a'.repeat(139)}…`);
  });
});

test('a message is read in full', () => {
  const message = 'We need engines. '.repeat(1_000).trim();
  expect(messageOf({ ...CONTACT, message })).toBe(message);
});
