import { createRequire } from 'node:module';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { type CountryCode, type MetadataJson, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import { parsePhoneNumberFromString as parseInBundle } from 'libphonenumber-js/core/es6';
import { seededRandom } from '#bench/seeded-random.ts';
import { packedLists } from '#lib/service-function/code.ts';
import { foldText, stripAccents } from '#scoring/lead-text.ts';
import {
  LIST_SOURCES,
  type ListName,
  NO_TEST,
  readList,
  SAYS_TEST,
  TEST_SURROUNDINGS,
} from '#scoring/lists.ts';
import { DomainHashes, hashOfDomain, indexLexicons, Phrases, packHashes } from '#scoring/lookups.ts';
import { FEATURE_BITS, TextFeatures } from '#scoring/text-features.ts';
import { MAX_POINTS, packModel, TextModel, unpackModel } from '#scoring/text-model.ts';

const require = createRequire(import.meta.url);

test('bundles contain every list as it is made from its source', () => {
  const packed = JSON.parse(JSON.parse(packedLists().PACKED_LISTS)) as Record<ListName, string>;
  const unpacked = Object.entries(packed).map(([name, list]) => [
    name,
    brotliDecompressSync(Buffer.from(list, 'base64')).toString('base64'),
  ]);
  const made = Object.entries(LIST_SOURCES).map(([name, make]) => [name, make().toString('base64')]);
  expect(unpacked).toEqual(made);
});

describe('the packed set', () => {
  const listed = require('disposable-email-domains-js').disposableEmailBlocklist() as string[];

  test('decides as a plain set of the same hashes does', () => {
    const disposable = new DomainHashes(() => readList('disposableDomains'));
    const plain = new Set(listed.map(hashOfDomain));
    const strangers = listed.flatMap((domain) => [`a${domain}`, domain.slice(1), `${domain}.com`]);
    const judgedOtherwise = [...listed, ...strangers].filter(
      (domain) => disposable.has(domain) !== plain.has(hashOfDomain(domain)),
    );
    expect(judgedOtherwise).toEqual([]);
  });

  test('has a domain that is alone in it, in whatever group, and no other', () => {
    const some = listed.slice(0, 50);
    for (const only of some) {
      const set = new DomainHashes(() => packHashes([only]));
      expect(some.filter((domain) => set.has(domain))).toEqual([only]);
    }
  });
});

const whole = require('libphonenumber-js/metadata.min.json') as MetadataJson;
const examples = require('libphonenumber-js/examples.mobile.json') as Record<string, string>;
const packed = JSON.parse(readList('phoneMetadata').toString()) as MetadataJson;

/** A real number of the country, what people make of it, and numbers of every length that nobody has. */
function numbersOf(country: CountryCode, seed: number): string[] {
  const code = whole.countries[country]?.[0] as string;
  const example = examples[country] ?? '';
  const random = seededRandom(seed);
  const invented = [7, 8, 9, 10, 11, 12, 13, 14, 15].map((length) =>
    Array.from({ length }, () => Math.floor(random() * 10)).join(''),
  );
  const national = [example, `${example}1`, example.slice(1), `1${example.slice(1)}`, ...invented];
  return national.flatMap((number) => [number, `0${number}`, `+${code}${number}`, `+${number}`]);
}

test('the packed metadata gives the same results as the full one for each country', () => {
  const countries = Object.keys(whole.countries) as CountryCode[];
  const tally = { valid: 0, possible: 0, neither: 0 };
  const differences = countries.flatMap((country, index) =>
    numbersOf(country, index).filter((number) => {
      const expected = parsePhoneNumberFromString(number, { defaultCountry: country }, whole);
      const found = parseInBundle(number, { defaultCountry: country }, packed);
      tally[expected?.isValid() ? 'valid' : expected?.isPossible() ? 'possible' : 'neither'] += 1;
      return (
        found?.isValid() !== expected?.isValid() ||
        found?.isPossible() !== expected?.isPossible() ||
        found?.nationalNumber !== expected?.nationalNumber
      );
    }),
  );
  expect(differences).toEqual([]);
  // That there was something to tell apart.
  expect(Math.min(...Object.values(tally))).toBeGreaterThan(1_000);
});

const LEXICONS = {
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

  test('no phrase is listed twice', () => {
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

const model = new TextModel(() => readList('textModel'));
const read = (message: string, domain = '') => model.read({ message, domain });

describe('the features of a text', () => {
  const features = (message: string, domain = '') => new TextFeatures({ message, domain });

  test('do not depend on accents, capitals and which number it is', () => {
    expect(features('évier 17').hashes).toEqual(features('evier 42').hashes);
    expect(features('order 4711').words).toEqual(features('Order 1234').words);
  });

  /** Without those of the style. */
  const ofWords = (text: string) => {
    const { hashes, words } = features(text);
    return words.map(({ end }, index) => hashes.slice(words[index - 1]?.end ?? 0, end));
  };

  test('are of each word and of pairs of words', () => {
    const [one, two, both] = ['sink', 'tap', 'sink tap'].map(ofWords);
    expect(both?.[0]).toEqual(one?.[0]);
    // The second word also has the pair.
    expect(both?.[1]).toEqual([...(two?.[0] ?? []), expect.any(Number)]);
  });

  test('of a script without blanks are characters in a row', () => {
    expect(ofWords('見積お願い')).toEqual([Array(4 + 3).fill(expect.any(Number))]);
  });

  test('grow with the text and no faster, up to a bound', () => {
    const count = (text: string) => features(text).hashes.length;
    for (const unit of ['we offer ', '我们提供', 'a ', 'x', 'на сайте ']) {
      const [half, whole] = [count(unit.repeat(400 / unit.length)), count(unit.repeat(800 / unit.length))];
      expect(whole).toBeLessThanOrEqual(2.1 * half + 10);
      expect(count(unit.repeat(100_000))).toBeLessThanOrEqual(count(unit.repeat(4_000)));
    }
  });
});

describe('the model', () => {
  test('is read as it was packed, whatever the gaps', () => {
    const weights = new Map([
      [0, 10],
      [1, -5],
      [256, 2.5],
      [511, -10],
      [2 ** FEATURE_BITS - 1, 7.5],
    ]);
    const { weights: unpacked, unit } = unpackModel(packModel(weights));
    for (const [hash, weight] of weights) {
      expect(Math.abs((unpacked[hash] as number) * unit - weight)).toBeLessThan(0.51 * unit);
    }
    expect(unpacked.filter((weight) => weight !== 0)).toHaveLength(weights.size);
  });

  test('says how many points, and which words', () => {
    const offer = read('I noticed your website has some issues. We can redesign it at an affordable price.');
    expect(offer.points).toBeLessThan(-15);
    expect(offer.words.length).toBeGreaterThan(0);
    const request = read('My order has not arrived yet, can you tell me when it will be delivered?');
    expect(request.points).toBeGreaterThan(15);
    expect(
      'My order has not arrived yet, can you tell me when it will be delivered?'.toLowerCase(),
    ).toContain(request.words[0]);
  });

  test('is bounded, however clear the text is', () => {
    const loud = 'rank your website on google, buy backlinks, guaranteed traffic, cheap seo packages '.repeat(
      20,
    );
    for (const { points } of [read(loud), read(loud, 'seo-rank-boost.top')]) {
      expect(points).toBeGreaterThanOrEqual(-MAX_POINTS);
      expect(points).toBeLessThan(-0.3 * MAX_POINTS);
    }
  });

  test('says nothing about nothing', () => {
    expect(read('', 'looms.co.uk')).toEqual({ points: 0, words: [] });
    expect(read('…')).toEqual({ points: 0, words: [] });
  });

  test('shows no numbers and no addresses', () => {
    for (const text of ['mail me at jo@looms.com', 'call 0171 3920044 now', 'order 4711-A is broken']) {
      for (const word of read(text).words) expect(word).not.toMatch(/[@\d]/);
    }
  });
});
