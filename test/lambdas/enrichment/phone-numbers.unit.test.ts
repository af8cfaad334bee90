import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import {
  type CountryCode,
  getCountryCallingCode,
  getExampleNumber,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { areaCodes } from '#enrichment/area-codes.ts';
import { contextOf, gatherFacts, rolesOf } from '#enrichment/gather-facts.ts';
import { timeZoneOf, zonesOf } from '#enrichment/read-place.ts';
import { scoreLead } from '#scoring/score-lead.ts';

const isValidToScoring = (fields: Record<string, string>) =>
  scoreLead(fields).signals.some(({ name }) => name === 'phone_valid');

const factsOf = (fields: Record<string, string>) => gatherFacts(rolesOf(fields), contextOf(fields)).facts;

const codeOf = (country: unknown) => getCountryCallingCode(country as CountryCode);

const COUNTRIES =
  'DE FR GB IT ES NL PL SE BR JP AU TR CH AT BE PT DK NO FI IE CZ HU RO GR UA RU US CA MX AR CL IN CN KR ID TH VN IL SA AE ZA'
    .split(' ')
    .map((country) => country as CountryCode);

const domainOf = (country: string) => `analytical.${country === 'GB' ? 'co.uk' : country.toLowerCase()}`;
const DOMAINS = ['analytical.com', 'analytical.io', domainOf('FR')];

/** The library's examples end in 345678, which scoring calls fake. */
function numberOf(country: CountryCode): PhoneNumber {
  const example = getExampleNumber(country, examples);
  const number = example && parsePhoneNumberFromString(example.number.replace(/.{4}$/, '4071'));
  if (!number?.isValid()) throw new Error(`no number of ${country}`);
  return number;
}

describe('a number that scoring calls valid is read by enrichment, by the same country', () => {
  test.each(COUNTRIES)('of %s, at a domain of the same country and at others', (country) => {
    const number = numberOf(country);
    for (const domain of [domainOf(country), ...DOMAINS]) {
      for (const phone of [number.formatNational(), number.formatInternational()]) {
        const fields = { email: `ada@${domain}`, phone };
        const facts = factsOf(fields);
        const isRead = facts.phone !== undefined;
        expect([phone, domain, isRead]).toEqual([phone, domain, isValidToScoring(fields)]);
        const isHome = domain === domainOf(country) || phone.startsWith('+');
        if (isHome) expect(facts.phone?.value).toBe(number.number);
        if (isRead) expect(facts.phone?.value).toContain(`+${codeOf(facts.phoneCountry?.value)}`);
      }
    }
  });

  test.each([
    ['a stated country counts more than the domain', { country: 'Austria', email: 'a@analytical.de' }, 'AT'],
    ['a country that scoring does not know', { country: 'GG', email: 'a@analytical.de' }, 'DE'],
    ['the address that scoring chose', { email: 'a@mailinator.com', message: 'or a@analytical.de' }, 'DE'],
    ['no country at all', { email: 'a@analytical.com' }, undefined],
    ['a domain that is sold to everyone', { email: 'a@analytical.io' }, undefined],
  ])('%s', (_, fields, country) => {
    const lead = { ...fields, phone: '0650 3456789' };
    expect(isValidToScoring(lead)).toBe(country !== undefined);
    expect(factsOf(lead).phoneCountry?.value).toBe(country);
  });

  test('whatever the digits are', () => {
    const part = fc.constantFrom('+', '00', '0', '(0)', ' ', '-', '/', '49', '30', '171', '1', '44', '20');
    const phone = fc
      .array(fc.oneof(part, fc.integer({ min: 0, max: 99_999 }).map(String)), { minLength: 3, maxLength: 8 })
      .map((parts) => parts.join(''));
    const domain = fc.constantFrom('a.de', 'a.co.uk', 'a.fr', 'a.com', 'a.io', 'a.it', 'a.com.br', 'a.us');
    const country = fc.constantFrom('', 'DE', 'UK', 'Italia', 'Atlantis', 'GG', 'US');
    fc.assert(
      fc.property(phone, domain, country, (number, host, stated) => {
        const fields = { email: `ada@${host}`, phone: number, country: stated };
        if (isValidToScoring(fields)) expect(factsOf(fields).phone?.value).toMatch(/^\+\d+$/);
      }),
      { numRuns: 300 },
    );
  });
});

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
    ['+1 416 555 2671', 'America/Toronto'],
    ['+55 11 96123 4071', 'America/Sao_Paulo'],
    ['+55 92 3234 4071', 'America/Manaus'],
    ['+61 8 9224 4071', 'Australia/Perth'],
    ['+61 8 8224 4071', 'Australia/Adelaide'],
    ['+7 495 123 40 71', 'Europe/Moscow'],
    ['+62 361 223 4071', 'Asia/Makassar'],
    ['+34 928 12 40 71', 'Atlantic/Canary'],
    ['+34 91 123 40 71', 'Europe/Madrid'],
    ['+64 9 323 4071', 'Pacific/Auckland'],
  ])('%s is %s', (phone, timeZone) => {
    expect(gatherFacts({ phone }).facts.timeZone).toEqual({ value: timeZone, source: 'phone-metadata' });
  });

  test.each([
    ['an area code in two zones', '+1 208 555 2671'],
    ['a toll-free number', '+1 800 555 2671'],
    ['an Australian mobile number', '+61 412 345 071'],
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

const EMAIL = 'ada@analytical.de';

describe('a number in the message', () => {
  test('with a country code is a fact, and says where it comes from', () => {
    const facts = factsOf({ email: EMAIL, message: 'Reach me on WhatsApp: +33 7 55 50 12 88, any time.' });
    expect(facts.phone).toEqual({ value: '+33755501288', source: 'message' });
    expect(facts.phoneCountry).toEqual({ value: 'FR', source: 'message' });
    expect(facts.phoneType).toEqual({ value: 'mobile', source: 'message' });
    expect(facts.country).toEqual({ value: 'FR', source: 'phone-metadata' });
  });

  test.each([
    ['Rückruf bitte 0331 5550 266', EMAIL, '+493315550266'],
    ['Tel. 030 5550 1847. MfG', EMAIL, '+493055501847'],
    ['Unter 01715550932 bin ich erreichbar', EMAIL, '+491715550932'],
    ['appelez-moi au 06 55 50 12 88 merci', 'ada@analytical.fr', '+33655501288'],
    ['call (415) 555-2671 please', 'ada@analytical.us', '+14155552671'],
    ['tel. 512 350 678', 'ada@analytical.pl', '+48512350678'],
    ['mi móvil es 612 34 40 71', 'ada@analytical.es', '+34612344071'],
  ])('%s: low confidence without a country code', (message, email, phone) => {
    expect(factsOf({ email, message }).phone).toEqual({ value: phone, source: 'message', confidence: 'low' });
    expect(isValidToScoring({ email, message })).toBe(true);
  });

  test('is read by the country that the lead names', () => {
    const facts = factsOf({ email: 'ada@analytical.com', country: 'Germany', message: 'Tel. 030 5550 1847' });
    expect(facts.phone?.value).toBe('+493055501847');
  });

  test.each([
    'Auf Ihrer Rechnung RE-2026-10-5521 ist unsere alte Anschrift',
    'Stellungnahme bis 30.11.2026, andernfalls',
    'am 05.11.2026 um 10:30',
    'vom 01/02/2026 bis 2026-12-30',
    'Auftrag 24-0871: zugesagt',
    'Meine Spende vom 23.12. (150 €)',
    'rahmennr SK5-0077120',
    'IBAN DE89 3704 0044 0532 0130 00',
    'Kundennummer 30417000',
    'bestellt 20 000 000 Stück',
    'no number at all',
  ])('%s: none, to scoring as well', (message) => {
    expect(factsOf({ email: EMAIL, message })).not.toHaveProperty('phone');
    expect(isValidToScoring({ email: EMAIL, message })).toBe(false);
  });

  test('does not replace the number of the phone field', () => {
    const message = 'or call +33 7 55 50 12 88';
    expect(factsOf({ email: EMAIL, phone: '030 901820', message }).phone?.value).toBe('+4930901820');
    expect(factsOf({ email: EMAIL, phone: 'n/a', message }).phone?.value).toBe('+33755501288');
  });

  test('is the first valid one', () => {
    const message = 'office 030 1, home 0331 5550 266, mobile 0171 5550932';
    expect(factsOf({ email: EMAIL, message }).phone?.value).toBe('+493315550266');
  });

  test('may be in a field of any name', () => {
    const fields = { email: EMAIL, q7: 'please use 0331 5550 266' };
    expect(factsOf(fields).phone?.value).toBe('+493315550266');
  });
});
