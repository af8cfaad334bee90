import { describe, expect, test } from '@jest/globals';
import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { areaCodes } from '#enrichment/area-codes.ts';
import { gatherFacts } from '#enrichment/gather-facts.ts';
import { timeZoneOf, zonesOf } from '#enrichment/read-place.ts';

describe('the area codes', () => {
  const countries = [...new Set(areaCodes().map(([country]) => country))];

  test('are each listed once', () => {
    const codes = areaCodes().map(([country, , code]) => `${country} ${code}`);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });

  test.each(countries)('of %s lie in time zones of that country, which has several', (country) => {
    expect(timeZoneOf(country)).toBeUndefined();
    const zones = areaCodes().flatMap(([of, zone]) => (of === country ? zone : []));
    expect(zones.filter((zone) => !zonesOf(country).includes(zone))).toEqual([]);
    for (const timeZone of zones) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow();
  });

  test.each(countries)('of %s begin valid numbers of that country', (country) => {
    const calling = getCountryCallingCode(country as CountryCode);
    const isUsed = (code: string) =>
      [8, 9, 10, 11].some((length) =>
        ['2', '3', '5', '61', '8', '9'].some((next) => {
          const national = (code + next).padEnd(length, '4071562');
          const number = parsePhoneNumberFromString(`+${calling}${national}`);
          return number?.isValid() && number.country === country;
        }),
      );
    const unused = areaCodes().filter(([of, , code]) => of === country && !isUsed(code));
    expect(unused.map(([, , code]) => code)).toEqual([]);
  });
});

describe('the time zone of a number', () => {
  test.each([
    ['+1 212 555 2671', 'America/New_York'],
    ['+1 415 555 2671', 'America/Los_Angeles'],
    ['+1 312 555 2671', 'America/Chicago'],
    ['+1 602 555 2671', 'America/Phoenix'],
    ['+1 808 555 2671', 'Pacific/Honolulu'],
    ['+1 416 555 2671', 'America/Toronto'],
    ['+1 604 555 2671', 'America/Vancouver'],
    ['+55 11 96123 4071', 'America/Sao_Paulo'],
    ['+55 92 3234 4071', 'America/Manaus'],
    ['+61 2 9374 4071', 'Australia/Sydney'],
    ['+61 8 9224 4071', 'Australia/Perth'],
    ['+61 8 8224 4071', 'Australia/Adelaide'],
    ['+7 495 123 40 71', 'Europe/Moscow'],
    ['+7 383 223 40 71', 'Asia/Novosibirsk'],
    ['+52 664 123 4071', 'America/Tijuana'],
    ['+62 361 223 4071', 'Asia/Makassar'],
    ['+34 928 12 40 71', 'Atlantic/Canary'],
    ['+34 91 123 40 71', 'Europe/Madrid'],
    ['+351 21 123 4071', 'Europe/Lisbon'],
    ['+64 9 323 4071', 'Pacific/Auckland'],
  ])('%s is %s', (phone, timeZone) => {
    expect(gatherFacts({ phone }).facts.timeZone).toEqual({ value: timeZone, source: 'phone-metadata' });
  });

  test.each([
    ['an area code in two zones', '+1 208 555 2671'],
    ['a toll-free number', '+1 800 555 2671'],
    ['an Australian mobile number', '+61 412 345 071'],
    ['a Russian mobile number', '+7 916 123 40 71'],
    ['a Spanish mobile number', '+34 612 34 40 71'],
    ['a Spanish toll-free number', '+34 900 12 40 71'],
  ])('%s tells none', (_, phone) => {
    const { facts } = gatherFacts({ phone });
    expect(facts.phone).toBeDefined();
    expect(facts).not.toHaveProperty('timeZone');
  });

  test('counts only in the country that the lead names', () => {
    expect(gatherFacts({ phone: '+1 212 555 2671', country: 'US' }).facts.timeZone?.value).toBe(
      'America/New_York',
    );
    expect(gatherFacts({ phone: '+1 212 555 2671', country: 'Brazil' }).facts).not.toHaveProperty('timeZone');
    expect(gatherFacts({ phone: '+1 212 555 2671', country: 'Japan' }).facts.timeZone?.value).toBe(
      'Asia/Tokyo',
    );
  });

  test('has low confidence if the country of the number was guessed', () => {
    const { facts } = gatherFacts({ phone: '(212) 555-2671', email: 'ada@analytical.us' });
    expect(facts.timeZone).toEqual({
      value: 'America/New_York',
      source: 'phone-metadata',
      confidence: 'low',
    });
  });
});
