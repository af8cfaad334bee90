import { InternalServerError } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { makeEnrichmentProvider } from '#enrichment/provider-http.ts';
import { makeProviderKey } from '#enrichment/provider-key-store.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import { eventOf, message, openSubmissionFixture, SAMPLE } from './enrichment-fixture.ts';
import { type DnsBehaviour, hangUp, respondWith, startProviderServer } from './external-servers.ts';

const fixture = await openSubmissionFixture();
afterAll(fixture.close);

/** Somebody recommends a friend: auto-detection takes the first address. */
const FIELDS = {
  email: 'grace@navy.mil',
  friend: 'ada@analytical.com',
  name: 'Grace Hopper',
  who: 'Ada Byron',
};
const CONFIGURATION = [
  { key: 'friend', role: 'email' },
  { key: 'who', role: 'name' },
];

async function factsOf(overrides: Record<string, unknown>) {
  const leadId = await fixture.putLead(FIELDS, overrides);
  await fixture.newEnvironment().receive(leadId);
  const { facts } = (await fixture.enrichmentOf(leadId)) as { facts: Record<string, { value: string }> };
  return [facts.email?.value, facts.firstName?.value, facts.emailDomain?.value];
}

describe('enrichment looks up the person', () => {
  test('that the roles of the form name', async () => {
    const { roles } = scoreLead(FIELDS, CONFIGURATION);
    expect(await factsOf({ roles })).toEqual(['ada@analytical.com', 'Ada', 'analytical.com']);
  });

  test('that the fields made of a payload name, whatever else the body contains', async () => {
    const fields = JSON.stringify({ name: 'Ada Byron', email: 'ada@analytical.com' });
    expect(await factsOf({ fields })).toEqual(['ada@analytical.com', 'Ada', 'analytical.com']);
  });

  test('that the keys name, if the form has no roles', async () => {
    expect(await factsOf({})).toEqual(['grace@navy.mil', 'Grace', 'navy.mil']);
  });
});

const inAWeek = fixture.clock.now / 1000 + 7 * 86_400;

test('a lead that is marked as spam meanwhile is not announced as clean', async () => {
  const leadId = await fixture.putLead();
  const { receive } = fixture.newEnvironment({
    mailExchanges: {
      async hostsOf() {
        await fixture.setClean(leadId, false);
        return [];
      },
    },
  });
  expect(await receive(leadId)).toEqual([]);
  expect(await fixture.enrichmentOf(leadId)).toMatchObject({ state: 'enriched', clean: false });
});

test('a lead that is no longer spam announces its enrichment once more', async () => {
  const leadId = await fixture.putLead();
  const { enrich, receive } = fixture.newEnvironment();
  await receive(leadId);
  const first = await fixture.enrichmentOf(leadId);
  const madeClean = message(JSON.stringify({ leadId, madeClean: true }));
  expect((await enrich(eventOf(madeClean))).batchItemFailures).toEqual([]);
  const announcedAt = expect.any(String);
  expect(await fixture.enrichmentOf(leadId)).toEqual({ ...first, announcedAt });
});

test('a verdict that came before the function died is announced by the next receive', async () => {
  const leadId = await fixture.putLead(SAMPLE, { expiresAt: inAWeek });
  const { receive, codes } = fixture.newEnvironment();
  await receive(leadId);
  await fixture.setClean(leadId, false);
  expect(await receive(leadId, 2)).toEqual([]);
  expect(await fixture.enrichmentOf(leadId)).toMatchObject({ clean: false, expiresAt: inAWeek });
  await fixture.setClean(leadId, true);
  expect(await receive(leadId, 3)).toEqual([]);
  expect(await fixture.enrichmentOf(leadId)).toMatchObject({ clean: true, expiresAt: inAWeek });
  expect(codes()).toEqual(['enriched', 'skipped', 'already_enriched']);
});

test('an enrichment expires with its lead, or never if the lead never does', async () => {
  const { receive } = fixture.newEnvironment();
  const passing = await fixture.putLead(SAMPLE, { expiresAt: inAWeek });
  const kept = await fixture.putLead();
  expect([await receive(passing), await receive(kept)]).toEqual([[], []]);
  expect(await fixture.enrichmentOf(passing)).toMatchObject({
    state: 'enriched',
    expiresAt: inAWeek,
  });
  expect(await fixture.enrichmentOf(kept)).toMatchObject({ state: 'enriched' });
  expect(await fixture.enrichmentOf(kept)).not.toHaveProperty('expiresAt');
});

test('an expired lead is not enriched, even if it is still stored', async () => {
  const { receive, codes } = fixture.newEnvironment();
  const leadId = await fixture.putLead(SAMPLE, { expiresAt: fixture.clock.now / 1000 });
  expect(await receive(leadId)).toEqual([]);
  expect(codes()).toEqual(['gone']);
  expect(await fixture.enrichmentOf(leadId)).toBeUndefined();
});

test('a lead of a later schema version waits for the release that can read it', async () => {
  const { receive, codes } = fixture.newEnvironment();
  const leadId = await fixture.putLead(SAMPLE, { v: 2 });
  expect(await receive(leadId)).toHaveLength(1);
  expect(codes()).toEqual(['retried']);
  expect(await fixture.enrichmentOf(leadId)).toBeUndefined();
});

describe('the log', () => {
  // Recognizable values: none of them may appear in a log line.
  const CANARY = {
    email: 'canarylocal@canarydomain.com',
    phone: '+49 30 90182077',
    name: 'Canaryfirst Canarylast',
    company: 'Canarycompany',
    website: 'https://canarysite.com/canarypath',
    message: 'canarymessage',
  };
  const SECRETS = /canary|90182077|127\.0\.0\.1/i;

  let server: Awaited<ReturnType<typeof startProviderServer>>;

  beforeAll(async () => {
    server = await startProviderServer();
  });
  afterAll(() => server.close());
  afterEach(() => fixture.calls.injectBefore(undefined));

  const provider = (url: string) =>
    makeEnrichmentProvider({
      url,
      now: () => fixture.clock.now,
      pause: async () => undefined,
      key: makeProviderKey({ now: () => fixture.clock.now, readSecret: async () => 'canarykey' }),
    });

  const GOOD: DnsBehaviour = { exchanges: [[1, 'mx.canaryhost.com']] };

  test.each<[string, DnsBehaviour, Parameters<typeof server.play>[0], string]>([
    ['all is well', GOOD, respondWith(200, { fact: 'canaryfact' }), 'enriched'],
    ['DNS is down', { rcode: 'SERVFAIL' }, respondWith(200, {}), 'retried'],
    ['DNS is silent', 'silent', respondWith(200, {}), 'retried'],
    ['the provider is down', GOOD, respondWith(500, 'canaryerror'), 'retried'],
    ['the provider hangs up', GOOD, hangUp, 'retried'],
    ['the provider refuses', GOOD, respondWith(422, 'canaryerror'), 'enriched'],
    ['the provider answers with nonsense', GOOD, respondWith(200, 'canaryerror'), 'enriched'],
  ])('has no value of a lead when %s', async (_, dns, reply, code) => {
    fixture.dns.behaviours.set('canarydomain.com', dns);
    server.play(reply);
    const environment = fixture.newEnvironment({
      provider: provider(server.url),
      ...(dns === 'silent' && { mailExchanges: fixture.mailExchanges(300) }),
    });
    await environment.receive(await fixture.putLead(CANARY));
    expect(environment.codes()).toEqual([code]);
    expect(environment.logText.join()).not.toMatch(SECRETS);
  });

  test.each([['BatchGetItem'], ['PutItem']])(
    'has no value of a lead when %s fails with a message that quotes one',
    async (command) => {
      fixture.dns.behaviours.set('canarydomain.com', GOOD);
      const quoting = new InternalServerError({ $metadata: {}, message: 'at canarylocal@canarydomain.com' });
      fixture.calls.injectBefore((called) => (called === command ? quoting : undefined));
      const environment = fixture.newEnvironment();
      await environment.receive(await fixture.putLead(CANARY));
      expect(environment.codes()).toEqual(['retried']);
      expect(environment.logText.join()).not.toMatch(SECRETS);
    },
  );

  test('has no value of a body that cannot be read', async () => {
    const environment = fixture.newEnvironment();
    await environment.receive(await fixture.putLead(CANARY, { body: '{"email": canarylocal' }));
    expect(environment.codes()).toEqual(['failed']);
    expect(environment.logText.join()).not.toMatch(SECRETS);
  });
});
