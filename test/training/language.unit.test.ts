import { expect, test } from '@jest/globals';
import { detectLanguage } from '#enrichment/detect-language.ts';
import { contextOf } from '#enrichment/gather-facts.ts';
import { readLabelledLeads } from '../../training/labelled-leads.ts';

test('the language of the labelled leads is detected as labelled, or not at all', () => {
  const messages = readLabelledLeads('held-out').flatMap(({ body, language }) => {
    const { message = '' } = contextOf(body);
    return message.length < 20 ? [] : [{ message, language }];
  });
  const known = messages
    .map(({ message, language }) => ({ found: detectLanguage(message), language }))
    .filter(({ found }) => found !== undefined);
  const wrong = known.filter(({ found, language }) => found !== language);
  expect(messages.length).toBeGreaterThan(2_500);
  expect(known.length / messages.length).toBeGreaterThan(0.9);
  expect(wrong.length / known.length).toBeLessThan(0.002);
});
