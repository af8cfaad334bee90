import { describe, expect, test } from '@jest/globals';
import { enrichmentState, type Facts, parseLeadId } from '#enrichment/enrichment-item.ts';
import { ExternalFailure, retryDelaySeconds, settle } from '#enrichment/external-failures.ts';
import { rolesOf } from '#enrichment/gather-facts.ts';
import { mailHostsOf, mailProviderOf } from '#enrichment/mail-exchanges.ts';
import { providerFacts, providerQuestion } from '#enrichment/provider-http.ts';

describe('mail hosts', () => {
  test.each([
    ['aspmx.l.google.com', 'Google Workspace'],
    ['alt1.aspmx.l.google.com', 'Google Workspace'],
    ['aspmx2.googlemail.com', 'Google Workspace'],
    ['smtp.google.com', 'Google Workspace'],
    ['analytical-com.mail.protection.outlook.com', 'Microsoft 365'],
    ['analytical-com.a-v1.mx.microsoft', 'Microsoft 365'],
    ['mx.zoho.eu', 'Zoho Mail'],
    ['in1-smtp.messagingengine.com', 'Fastmail'],
    ['mail.protonmail.ch', 'Proton Mail'],
    ['mx01.mail.icloud.com', 'iCloud Mail'],
    ['mx.yandex.net', 'Yandex 360'],
    ['inbound-smtp.eu-west-1.amazonaws.com', 'Amazon SES'],
    ['eu-smtp-inbound-1.mimecast.com', 'Mimecast'],
    ['mx0a-00000000.pphosted.com', 'Proofpoint'],
    ['d1.ess.barracudanetworks.com', 'Barracuda'],
    ['mx1.mail.ovh.net', 'OVHcloud'],
    ['mx00.ionos.de', 'IONOS'],
    ['spool.mail.gandi.net', 'Gandi'],
    ['aspmx1.migadu.com', 'Migadu'],
    ['mx1.titan.email', 'Titan'],
    ['mail.analytical.com', undefined],
    ['ec2-1-2-3-4.compute-1.amazonaws.com', undefined],
    ['gmail-smtp-in.l.google.com', undefined],
    ['notaspmx.l.google.com.evil.example', undefined],
    ['evilmimecast.com', undefined],
  ])('%s is run by %s', (host, provider) => {
    expect(mailProviderOf([host])).toBe(provider);
  });

  test('the most preferred host that is known decides', () => {
    expect(mailProviderOf(['mx.analytical.com', 'mx.zoho.eu', 'aspmx.l.google.com'])).toBe('Zoho Mail');
  });

  test('are sorted by preference, once each, without what is no host name', () => {
    const answer = [
      { exchange: 'B.example.com', priority: 20 },
      { exchange: 'a.example.com.', priority: 10 },
      { exchange: 'a.example.com', priority: 30 },
      { exchange: '<script>.example.com', priority: 1 },
      { exchange: 'with space.example.com', priority: 1 },
      { exchange: `${'x'.repeat(64)}.example.com`, priority: 1 },
      { exchange: 'localhost', priority: 1 },
      { exchange: '-x.example.com', priority: 1 },
    ];
    expect(mailHostsOf(answer)).toEqual(['a.example.com', 'b.example.com']);
  });
});

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
    // By the look of the value, where the key says nothing.
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
  expect(parseLeadId(body) !== undefined).toBe(readable);
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
  ])('%s', (_, facts, troubles, receiveCount, expected) => {
    expect(settle({ facts, troubles, receiveCount })).toEqual(expected);
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

describe("the provider's answer", () => {
  test('is kept where it is plain, under names of its own', () => {
    const answer = JSON.parse(
      '{"email":"x","employees":120,"public":true,"none":null,"nested":{"a":1},"list":[1],"__proto__":"x","a b":1,"huge":1e300,"tiny":1e-300,"zero":0,"empty":""}',
    ) as Record<string, unknown>;
    expect(providerFacts(answer)).toEqual({
      'provider.email': { value: 'x', source: 'provider' },
      'provider.employees': { value: 120, source: 'provider' },
      'provider.public': { value: true, source: 'provider' },
      'provider.zero': { value: 0, source: 'provider' },
    });
  });

  test('is cut to 30 facts, and texts over 1,000 characters are left out', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, index]));
    expect(Object.keys(providerFacts(many))).toHaveLength(30);
    expect(providerFacts({ long: 'x'.repeat(1_001) })).toEqual({});
  });

  test('is asked for with what is known alone', () => {
    expect(providerQuestion({ email: { value: 'a@b.co', source: 'body' } })).toEqual({ email: 'a@b.co' });
    expect(providerQuestion({})).toEqual({});
  });
});
