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
import { contextOf, gatherFacts, rolesOf } from '#enrichment/gather-facts.ts';
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
const DOMAINS = ['analytical.com', 'analytical.io', ...COUNTRIES.slice(0, 15).map(domainOf)];

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
      { numRuns: 1_000 },
    );
  });
});
