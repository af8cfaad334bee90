import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gatherFacts, rolesOf } from '#enrichment/gather-facts.ts';

// A body that made the rules throw would come back five times and end among the dead letters.
const KEYS = ['email', 'phone', 'name', 'first_name', 'last_name', 'company', 'website', 'country'];
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.emailAddress(),
  fc.webUrl(),
  fc.constantFrom(
    'constructor',
    '__proto__',
    'toString',
    '@',
    'a@b',
    '+',
    '00',
    ',',
    ' ',
    '\u0000',
    '\ud800',
  ),
  fc
    .tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))
    .map(([one, other]) => `${one}@${other}`),
);
const body = fc.dictionary(fc.constantFrom(...KEYS), fc.oneof(text, fc.jsonValue()));

test('no body makes the rules throw, and no fact is empty or huge', () => {
  fc.assert(
    fc.property(body, (fields) => {
      const { facts } = gatherFacts(rolesOf(fields));
      for (const { value, source } of Object.values(facts)) {
        expect(typeof source).toBe('string');
        expect(value).not.toBe('');
        expect(String(value).length).toBeLessThanOrEqual(500);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('what was normalised once stays as it is', () => {
  fc.assert(
    fc.property(body, (fields) => {
      const { facts } = gatherFacts(rolesOf(fields));
      const again = gatherFacts({
        ...(facts.email && { email: String(facts.email.value) }),
        ...(facts.phone && { phone: String(facts.phone.value) }),
        ...(facts.country && { country: String(facts.country.value) }),
      }).facts;
      for (const name of ['email', 'emailDomain', 'mailClass', 'phone', 'country']) {
        expect(again[name]?.value).toBe(facts[name]?.value);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a hostile body of the largest size is read in a moment', () => {
  const hostile = [
    'a'.repeat(120_000),
    '<'.repeat(120_000),
    'a.'.repeat(60_000),
    'Dr. '.repeat(30_000),
    '@'.repeat(120_000),
  ];
  for (const value of hostile) {
    const startedAt = performance.now();
    gatherFacts(rolesOf(Object.fromEntries(KEYS.map((key) => [key, value]))));
    // Some tens of milliseconds on a busy machine; what backtracks takes minutes.
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  }
});
