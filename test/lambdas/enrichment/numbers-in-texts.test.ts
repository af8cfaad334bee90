import { describe, expect, test } from '@jest/globals';
import { contextOf, gatherFacts, rolesOf } from '#enrichment/gather-facts.ts';
import { scoreLead } from '#scoring/score-lead.ts';

const factsOf = (fields: Record<string, string>) => gatherFacts(rolesOf(fields), contextOf(fields)).facts;

const isValidToScoring = (fields: Record<string, string>) =>
  scoreLead(fields).signals.some(({ name }) => name === 'phone_valid');

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
