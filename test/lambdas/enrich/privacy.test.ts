import { InternalServerError } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { makeEnrichmentProvider } from '#enrichment/provider-http.ts';
import { makeProviderKey } from '#enrichment/provider-key-store.ts';
import type { DnsBehaviour } from './dns-server.ts';
import { answer, hangUp, startProviderServer } from './provider-server.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

// Values that can be told apart from everything else: none of them may turn up in a log line, whatever happens.
const CANARY = {
  email: 'canarylocal@canarydomain.com',
  phone: '+49 30 90182077',
  name: 'Canaryfirst Canarylast',
  company: 'Canarycompany',
  website: 'https://canarysite.com/canarypath',
  message: 'canarymessage',
};
const SECRETS = /canary|90182077|127\.0\.0\.1/i;

let bench: Workbench;
let server: Awaited<ReturnType<typeof startProviderServer>>;

beforeAll(async () => {
  [bench, server] = await Promise.all([openWorkbench(), startProviderServer()]);
});
afterAll(() => Promise.all([bench.close(), server.close()]));
afterEach(() => bench.calls.injectBefore(undefined));

const provider = (url: string) =>
  makeEnrichmentProvider({
    url,
    now: () => bench.clock.now,
    pause: async () => undefined,
    key: makeProviderKey({ now: () => bench.clock.now, readSecret: async () => 'canarykey' }),
  });

const GOOD: DnsBehaviour = { exchanges: [[1, 'mx.canaryhost.com']] };

test.each<[string, DnsBehaviour, Parameters<typeof server.play>[0], string]>([
  ['all is well', GOOD, answer(200, { fact: 'canaryfact' }), 'enriched'],
  ['DNS is down', { rcode: 'SERVFAIL' }, answer(200, {}), 'retried'],
  ['DNS is silent', 'silent', answer(200, {}), 'retried'],
  ['the provider is down', GOOD, answer(500, 'canaryerror'), 'retried'],
  ['the provider hangs up', GOOD, hangUp, 'retried'],
  ['the provider refuses', GOOD, answer(422, 'canaryerror'), 'enriched'],
  ['the provider answers with nonsense', GOOD, answer(200, 'canaryerror'), 'enriched'],
])('no value is logged when %s', async (_, dns, reply, code) => {
  bench.dns.behaviours.set('canarydomain.com', dns);
  server.play(reply);
  const environment = bench.newEnvironment({
    provider: provider(server.url),
    ...(dns === 'silent' && { mailExchanges: bench.mailExchanges(300) }),
  });
  await environment.receive(await bench.putLead(CANARY));
  expect(environment.codes()).toEqual([code]);
  expect(environment.logText.join()).not.toMatch(SECRETS);
});

test.each([['BatchGetItem'], ['TransactWriteItems']])(
  'no value is logged when %s fails with a message that quotes one',
  async (command) => {
    bench.dns.behaviours.set('canarydomain.com', GOOD);
    const quoting = new InternalServerError({ $metadata: {}, message: 'at canarylocal@canarydomain.com' });
    bench.calls.injectBefore((called) => (called === command ? quoting : undefined));
    const environment = bench.newEnvironment();
    await environment.receive(await bench.putLead(CANARY));
    expect(environment.codes()).toEqual(['retried']);
    expect(environment.logText.join()).not.toMatch(SECRETS);
  },
);

test('no value is logged of a body that cannot be read', async () => {
  const environment = bench.newEnvironment();
  await environment.receive(await bench.putLead(CANARY, { body: '{"email": canarylocal' }));
  expect(environment.codes()).toEqual(['failed']);
  expect(environment.logText.join()).not.toMatch(SECRETS);
});
