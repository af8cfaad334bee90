import { describe, expect, test } from '@jest/globals';
import { OFFERS, OFFERS_ELSEWHERE, PITCHES, TOPICS } from '#scoring/lexicon-offers.ts';
import { NO_TEST, REQUESTS, SAYS_TEST, TEST_SURROUNDINGS } from '#scoring/lexicons.ts';
import { indexLexicons, Phrases } from '#scoring/phrases.ts';
import { foldText, stripAccents } from '#scoring/text.ts';

const LEXICONS = {
  OFFERS: OFFERS + OFFERS_ELSEWHERE,
  PITCHES,
  TOPICS,
  REQUESTS,
  SAYS_TEST,
  NO_TEST,
  TEST_SURROUNDINGS,
};

describe.each(Object.entries(LEXICONS))('%s', (_, text) => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const phrases = lines.flatMap((line) => line.trim().replace(/^\S+ /, '').split('|'));

  test('each line is a weight and phrases', () => {
    for (const line of lines) expect(line).toMatch(/^ {2}\d+(\.\d+)? \S/);
  });

  test('no phrase stands there twice', () => {
    expect(phrases.filter((phrase, index) => phrases.indexOf(phrase) !== index)).toEqual([]);
  });

  test('phrases are written as text is folded, so that they can match', () => {
    const parts = phrases.flatMap((phrase) => phrase.split(' .. ').map((part) => part.replace(/\*$/, '')));
    expect(parts.filter((part) => foldText(part) !== ` ${stripAccents(part)} `)).toEqual([]);
  });
});

describe('phrases', () => {
  const phrases = new Phrases(() => indexLexicons({ some: '  2 seo|link*|rank .. google|我们提供' }));
  const found = (text: string) => [...phrases.findIn(foldText(text))].map(({ first }) => first);

  test.each([
    ['Our SEO!', ['seo']],
    ['from Seoul', []],
    ['linkbuilding', ['link']],
    ['a blink', []],
    ['we rank you high on Google', ['rank']],
    [`rank ${'x '.repeat(50)} google`, []],
    ['您好我们提供', ['我们提供']],
    ['seo, seo, seo', ['seo']],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});
