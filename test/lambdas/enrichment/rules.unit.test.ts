import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { enrichmentState, type Facts, parseEnrichmentMessage } from '#enrichment/enrichment-item.ts';
import { ExternalFailure, retryDelaySeconds, settle } from '#enrichment/external-failures.ts';
import { contextOf, gatherFacts, rolesOf } from '#enrichment/gather-facts.ts';
import { providerFacts, providerQuestion } from '#enrichment/provider-http.ts';
import { splitName } from '#enrichment/split-name.ts';
import { anyText } from '../../any-text.ts';

describe('the roles of keys', () => {
  test.each([
    [{ 'E-Mail': 'a@b.co' }, { email: 'a@b.co' }],
    [{ work_email: 'a@b.co', email: 'c@d.co' }, { email: 'a@b.co' }],
    [{ email: ' ', Email_Address: 'c@d.co' }, { email: 'c@d.co' }],
    [
      { 'Phone Number': 4930901820, Website: 'b.co' },
      { phone: '4930901820', website: 'b.co' },
    ],
    [
      { first_name: 'Ada', Surname: 'Byron' },
      { firstName: 'Ada', lastName: 'Byron' },
    ],
    [
      { organisation: 'AE', countryCode: 'DE' },
      { company: 'AE', country: 'DE' },
    ],
    [{ email: null, phone: { a: 1 }, message: 'hi' }, {}],
    // By the format of the value, if the key says nothing.
    [{ q7: 'a@b.co' }, { email: 'a@b.co' }],
    [{ message: 'write to a@b.co please' }, { email: 'a@b.co' }],
  ])('%j', (fields, roles) => {
    expect(rolesOf(fields)).toEqual(roles);
  });
});

test.each([
  ['{"leadId":"01932f4e-0000-7000-8000-000000000000"}', true],
  ['{"leadId":"01932f4e-0000-7000-8000-000000000000","more":1}', true],
  ...['', '{', 'null', '[]', '{}', '{"leadId":1}', '{"leadId":""}', '{"leadId":"../x"}'].map(
    (body): [string, boolean] => [body, false],
  ),
])('the message %s is readable: %s', (body, readable) => {
  expect(parseEnrichmentMessage(body) !== undefined).toBe(readable);
});

test.each([
  [{ clean: false }, undefined, 'skipped'],
  [{ clean: false }, { state: 'enriched' as const }, 'skipped'],
  [{ clean: true }, undefined, 'pending'],
  [{ clean: true }, { state: 'enriched' as const }, 'enriched'],
  [{ clean: true }, { state: 'failed' as const }, 'failed'],
])('the state of %j with %j is %s', (lead, enrichment, state) => {
  expect(enrichmentState(lead, enrichment)).toBe(state);
});

describe('how findings settle', () => {
  const some: Facts = { email: { value: 'a@b.co', source: 'body' } };
  const down = (outside: 'dns' | 'provider') => new ExternalFailure(outside, true, 'ETIMEOUT');
  const refusing = new ExternalFailure('provider', false, 'HTTP_404');
  const enriched = { state: 'enriched', facts: some };

  test.each([
    ['all answered', some, [], 1, enriched],
    ['DNS down, first receive', some, [down('dns')], 1, 'retry'],
    ['DNS down, third receive', some, [down('dns')], 3, 'retry'],
    ['DNS down, fourth receive', some, [down('dns')], 4, { ...enriched, incomplete: ['dns'] }],
    ['provider down, fifth receive', some, [down('provider')], 5, { ...enriched, incomplete: ['provider'] }],
    [
      'both down, fourth',
      some,
      [down('provider'), down('dns')],
      4,
      { ...enriched, incomplete: ['dns', 'provider'] },
    ],
    ['provider refuses', some, [refusing], 1, { ...enriched, incomplete: ['provider'] }],
    ['provider refuses, DNS down', some, [down('dns'), refusing], 1, 'retry'],
    ['nothing found', {}, [], 1, { state: 'failed', facts: {}, reason: 'nothing_recognised' }],
  ])('%s', (_, facts, failures, receiveCount, expected) => {
    expect(settle({ facts, failures, receiveCount })).toEqual(expected);
  });

  test.each([
    [1, 3, 5],
    [2, 10, 20],
    [3, 30, 60],
    [4, 90, 180],
    [9, 90, 180],
  ])('receive %i is retried after %i to %i seconds', (receiveCount, least, most) => {
    expect(retryDelaySeconds(receiveCount, 0)).toBe(least);
    expect(retryDelaySeconds(receiveCount, 0.999_999)).toBe(most);
  });
});

describe("the provider's response", () => {
  test('is kept if it is plain, under its own names', () => {
    const response = JSON.parse(
      '{"email":"x","employees":120,"public":true,"none":null,"nested":{"a":1},"list":[1],"__proto__":"x","a b":1,"huge":1e300,"tiny":1e-300,"zero":0,"empty":""}',
    ) as Record<string, unknown>;
    expect(providerFacts(response)).toEqual({
      'provider.email': { value: 'x', source: 'provider' },
      'provider.employees': { value: 120, source: 'provider' },
      'provider.public': { value: true, source: 'provider' },
      'provider.zero': { value: 0, source: 'provider' },
    });
  });

  test('is limited to 30 facts, without texts over 1,000 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, index]));
    expect(Object.keys(providerFacts(many))).toHaveLength(30);
    expect(providerFacts({ long: 'x'.repeat(1_001) })).toEqual({});
  });

  test('is requested with only the known facts', () => {
    expect(providerQuestion({ email: { value: 'a@b.co', source: 'body' } })).toEqual({ email: 'a@b.co' });
    expect(providerQuestion({})).toEqual({});
  });

  test('is requested with the domain in ASCII', () => {
    const { facts } = gatherFacts({ email: 'ada@münchen.de' });
    expect(facts.emailDomain?.value).toBe('münchen.de');
    expect(providerQuestion(facts)).toMatchObject({
      email: 'ada@xn--mnchen-3ya.de',
      domain: 'xn--mnchen-3ya.de',
    });
  });
});

describe('a name in one field', () => {
  test.each([
    ['Ada Byron', undefined, 'Ada', 'Byron'],
    ['  Ada \t Byron ', undefined, 'Ada', 'Byron'],
    ['Byron, Ada', undefined, 'Ada', 'Byron'],
    ['Frau Dr. Ada Byron', undefined, 'Ada', 'Byron'],
    ['Ada Byron, PhD', undefined, 'Ada', 'Byron'],
    ['Sammy Davis Jr.', undefined, 'Sammy', 'Davis'],
    ['John Q. Public', undefined, 'John', 'Public'],
    ['Ludwig van Beethoven', undefined, 'Ludwig', 'van Beethoven'],
    ['Johann Wolfgang von Goethe', undefined, 'Johann Wolfgang', 'von Goethe'],
    ['Juana de la Cruz', undefined, 'Juana', 'de la Cruz'],
    ['محمد علي', undefined, 'محمد', 'علي'],
    ['Szent-Györgyi, Albert', 'HU', 'Albert', 'Szent-Györgyi'],
    ['山田 太郎', undefined, '太郎', '山田'],
    ['やまだ たろう', undefined, 'たろう', 'やまだ'],
    ['김 철수', undefined, '철수', '김'],
    ['アダ・バイロン', undefined, 'アダ', 'バイロン'],
    ['علی\u200cرضا کریمی', undefined, 'علی\u200cرضا', 'کریمی'],
    ['👩\u200d💻 Ada Byron', undefined, 'Ada', 'Byron'],
  ])('%s (%s) is split', (name, country, firstName, lastName) => {
    expect(splitName(name, country)).toEqual({ firstName, lastName });
  });

  test.each([
    ['Gabriel García Márquez', 'Gabriel'],
    ['Mary Jane Watson', 'Mary'],
  ])('%s has an ambiguous middle name: only the first name is certain', (name, firstName) => {
    expect(splitName(name)).toEqual({ firstName });
  });

  test.each([
    ['Madonna', undefined],
    ['👩\u200d💻 Madonna', undefined],
    ['Nagy István', 'HU'],
    ['Nguyễn Văn An', 'VN'],
    ['Yamada Taro', 'JP'],
    ['山田太郎', undefined],
    ['Ada 山田', undefined],
    ['ada@analytical.com Byron', undefined],
    ['Room 101', undefined],
    ['one two three four five six seven', undefined],
    ['a, b, c', undefined],
    ['', undefined],
    ['x '.repeat(200), undefined],
  ])('%s (%s) is not split', (name, country) => {
    expect(splitName(name, country)).toEqual({});
  });

  test('separate fields take precedence over the split', () => {
    const { facts } = gatherFacts({ name: 'Nagy István', firstName: ' István ', lastName: 'Nagy' });
    expect(facts.firstName?.value).toBe('István');
    expect(facts.lastName?.value).toBe('Nagy');
  });
});

describe('any body', () => {
  // A body that makes the rules throw would be retried five times and become a dead letter.
  const KEYS = [
    'email',
    'phone',
    'name',
    'first_name',
    'last_name',
    'company',
    'website',
    'country',
    'message',
  ];
  const text = fc.oneof(
    anyText({ maxLength: 200 }),
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
    fc.tuple(anyText(), anyText()).map(([one, other]) => `${one}@${other}`),
  );
  const body = fc.dictionary(fc.constantFrom(...KEYS), fc.oneof(text, fc.jsonValue()));

  test('makes no rule throw, and every fact is short and stays as it is when it is read again', () => {
    fc.assert(
      fc.property(body, (fields) => {
        const { facts } = gatherFacts(rolesOf(fields), contextOf(fields));
        const wrong = Object.values(facts).filter(
          ({ value, source }) => typeof source !== 'string' || value === '' || String(value).length > 500,
        );
        expect(wrong).toEqual([]);
        const textOf = (known: Facts, name: string) => known[name] && String(known[name].value);
        const again = gatherFacts(
          Object.fromEntries(
            ['email', 'phone', 'country'].flatMap((role) =>
              facts[role] ? [[role, textOf(facts, role) as string]] : [],
            ),
          ),
        ).facts;
        const normalised = ['email', 'emailDomain', 'mailClass', 'phone', 'country'];
        expect(normalised.map((name) => textOf(again, name))).toEqual(
          normalised.map((name) => textOf(facts, name)),
        );
      }),
      { numRuns: 400 },
    );
  });

  test('a hostile body of the largest size is read quickly', () => {
    const hostile = [
      'a'.repeat(120_000),
      '<'.repeat(120_000),
      'a.'.repeat(60_000),
      'Dr. '.repeat(30_000),
      '@'.repeat(120_000),
      '1 '.repeat(60_000),
      '+49 30 '.repeat(20_000),
    ];
    for (const value of hostile) {
      const startedAt = performance.now();
      const fields = Object.fromEntries(KEYS.map((key) => [key, value]));
      gatherFacts(rolesOf(fields), contextOf(fields));
      // Tens of milliseconds on a busy machine; backtracking would take minutes.
      expect(performance.now() - startedAt).toBeLessThan(2_000);
    }
  });
});
