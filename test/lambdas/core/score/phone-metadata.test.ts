import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { type CountryCode, type MetadataJson, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import { parsePhoneNumberFromString as parseInBundle } from 'libphonenumber-js/core/es6';
import { unpack } from '#scoring/domain-hashes.ts';
import { PHONE_METADATA } from '#scoring/packed-lists.ts';

const require = createRequire(import.meta.url);
const whole = require('libphonenumber-js/metadata.min.json') as MetadataJson;
const examples = require('libphonenumber-js/examples.mobile.json') as Record<string, string>;
const packed = JSON.parse(unpack(PHONE_METADATA).toString()) as MetadataJson;

/** Digits that are the same at each run. */
function* digits(seed: number): Generator<string> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield String((state >>> 16) % 10);
  }
}

/** A real number of the country, what people make of it, and numbers of every length that nobody has. */
function numbersOf(country: CountryCode, seed: number): string[] {
  const code = whole.countries[country]?.[0] as string;
  const example = examples[country] ?? '';
  const source = digits(seed);
  const invented = [7, 8, 9, 10, 11, 12, 13, 14, 15].flatMap((length) =>
    Array.from({ length: 3 }, () => Array.from({ length }, () => source.next().value).join('')),
  );
  const national = [example, `${example}1`, example.slice(1), `1${example.slice(1)}`, ...invented];
  return national.flatMap((number) => [number, `0${number}`, `+${code}${number}`, `+${number}`]);
}

test('the packed metadata tells what the whole does, of each country', () => {
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
  expect(Math.min(...Object.values(tally))).toBeGreaterThan(2_000);
});
