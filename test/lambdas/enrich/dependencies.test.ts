import { expect, test } from '@jest/globals';
import { enrichDependencies } from '#enrichment/enrich/handler.ts';

const NEEDED = { LEADS_TABLE: 'leads', ENRICHMENT_QUEUE_URL: 'https://sqs.eu-central-1.amazonaws.com/1/q' };
const SECRET = { ENRICHMENT_PROVIDER_SECRET_ARN: 'arn:of:secret' };

test.each([
  ['nothing', {}, /LEADS_TABLE/],
  ['no queue', { LEADS_TABLE: 'leads' }, /ENRICHMENT_QUEUE_URL/],
  ['a resolver by name', { ...NEEDED, ENRICHMENT_DNS_SERVERS: 'dns.example' }, /must be IP addresses/],
  [
    'a provider in the clear',
    { ...NEEDED, ...SECRET, ENRICHMENT_PROVIDER_URL: 'http://p.example/' },
    /https/,
  ],
  [
    'a name like loopback',
    { ...NEEDED, ...SECRET, ENRICHMENT_PROVIDER_URL: 'http://127.p.example/' },
    /https/,
  ],
  ['a provider that is no URL', { ...NEEDED, ...SECRET, ENRICHMENT_PROVIDER_URL: 'p.example' }, /https/],
  ['a key in the URL', { ...NEEDED, ...SECRET, ENRICHMENT_PROVIDER_URL: 'https://a:b@p.example/' }, /https/],
  ['a provider without a key', { ...NEEDED, ENRICHMENT_PROVIDER_URL: 'https://p.example/' }, /SECRET_ARN/],
])('%s is refused at the start, in a sentence', (_, env, complaint) => {
  expect(() => enrichDependencies(env)).toThrow(complaint);
});

test.each([
  ['nothing optional', {}, false],
  ['empty variables', { ENRICHMENT_PROVIDER_URL: '', ENRICHMENT_DNS_SERVERS: '' }, false],
  ['a secret alone', SECRET, false],
  ['resolvers', { ENRICHMENT_DNS_SERVERS: '127.0.0.1:5353, 1.1.1.1,[::1]:53' }, false],
  ['a provider', { ...SECRET, ENRICHMENT_PROVIDER_URL: 'https://p.example/enrich' }, true],
  ['a provider on this machine', { ...SECRET, ENRICHMENT_PROVIDER_URL: 'http://127.0.0.1:8080/' }, true],
])('with %s there is a provider: %s', (_, env, hasProvider) => {
  process.env.AWS_REGION ??= 'eu-central-1';
  expect(enrichDependencies({ ...NEEDED, ...env }).provider !== undefined).toBe(hasProvider);
});
