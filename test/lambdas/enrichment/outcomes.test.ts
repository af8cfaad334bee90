import { InternalServerError, ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { gatherFacts, mailHostFacts, rolesOf } from '#enrichment/gather-facts.ts';
import { makeEnrichmentProvider } from '#enrichment/provider-http.ts';
import { makeProviderKey } from '#enrichment/provider-key-store.ts';
import { openSubmissionFixture, SAMPLE } from './enrichment-fixture.ts';
import { respondWith, stall, startProviderServer } from './external-servers.ts';

const [fixture, server] = await Promise.all([openSubmissionFixture(), startProviderServer()]);
afterAll(() => Promise.all([fixture.close(), server.close()]));
beforeEach(() => {
  fixture.dns.behaviours.clear();
  fixture.dns.behaviours.set('analytical.com', { exchanges: [[1, 'aspmx.l.google.com']] });
});
afterEach(() => fixture.calls.injectBefore(undefined));

const provider = () =>
  makeEnrichmentProvider({
    url: server.url,
    now: () => fixture.clock.now,
    pause: async () => undefined,
    key: makeProviderKey({ now: () => fixture.clock.now, readSecret: async () => 'key-1' }),
  });

test('a clean lead is enriched, in a separate item', async () => {
  const leadId = await fixture.putLead();
  const environment = fixture.newEnvironment();
  expect(await environment.receive(leadId)).toEqual([]);
  expect(await fixture.enrichmentOf(leadId)).toEqual({
    leadId,
    part: 'enrichment',
    v: 1,
    // By which the enrichment is announced.
    workspace: 'ws_enrich',
    form: 'form_enrich',
    score: 85,
    clean: true,
    state: 'enriched',
    attempts: 1,
    enrichedAt: '2026-11-15T12:00:10.000Z',
    facts: { ...gatherFacts(rolesOf(SAMPLE)).facts, ...mailHostFacts(['aspmx.l.google.com']) },
  });
  expect(environment.lines()).toEqual([
    expect.objectContaining({
      code: 'enrichment.enriched',
      leadId,
      workspaceId: 'ws_enrich',
      formId: 'form_enrich',
      Enriched: 1,
    }),
  ]);
});

test('nothing is written for a lead that is not clean, or does not exist', async () => {
  const leadId = await fixture.putLead(SAMPLE, { clean: false });
  const environment = fixture.newEnvironment();
  expect(await environment.receive(leadId)).toEqual([]);
  expect(await environment.receive('01932f4e-0000-7000-8000-000000000000')).toEqual([]);
  expect(environment.codes()).toEqual(['skipped', 'gone']);
  expect(await fixture.enrichmentOf(leadId)).toBeUndefined();
});

describe('permanent failures are recorded', () => {
  test.each([
    ['a body that is no JSON', { body: '{' }, 'body_unreadable'],
    ['a body that is damaged', { packed: Buffer.from('damaged') }, 'body_unreadable'],
    ['a body in which nothing is recognised', { body: '{"q1":"forty-two"}' }, 'nothing_recognised'],
  ])('%s', async (_, damage, reason) => {
    const leadId = await fixture.putLead(SAMPLE, damage);
    const environment = fixture.newEnvironment();
    expect(await environment.receive(leadId)).toEqual([]);
    expect(await fixture.enrichmentOf(leadId)).toMatchObject({
      state: 'failed',
      reason,
      facts: {},
      attempts: 1,
    });
    expect(environment.lines()).toEqual([
      expect.objectContaining({ code: 'enrichment.failed', reason, EnrichmentFailed: 1 }),
    ]);
  });
});

describe('an outage of DNS', () => {
  test('delays the message, and the lead is enriched afterwards', async () => {
    fixture.dns.behaviours.set('analytical.com', { rcode: 'SERVFAIL' });
    const leadId = await fixture.putLead();
    const environment = fixture.newEnvironment();
    expect(await environment.receive(leadId, 1)).toHaveLength(1);
    expect(await environment.receive(leadId, 2)).toHaveLength(1);
    expect(environment.delays.map(({ seconds }) => seconds)).toEqual([3, 10]);
    expect(environment.lines()[1]).toMatchObject({
      code: 'enrichment.retried',
      failures: ['dns:ESERVFAIL'],
      retryInSeconds: 10,
      EnrichmentRetried: 1,
    });
    expect(await fixture.enrichmentOf(leadId)).toBeUndefined();

    fixture.dns.behaviours.set('analytical.com', { exchanges: [[1, 'mx.zoho.eu']] });
    expect(await environment.receive(leadId, 3)).toEqual([]);
    const enrichment = await fixture.enrichmentOf(leadId);
    expect(enrichment).toMatchObject({ state: 'enriched', attempts: 3 });
    expect(enrichment).not.toHaveProperty('incomplete');
  });

  test('is not the answer that a domain takes no mail', async () => {
    fixture.dns.behaviours.set('analytical.com', { exchanges: [[0, '.']] });
    const leadId = await fixture.putLead();
    expect(await fixture.newEnvironment().receive(leadId, 1)).toEqual([]);
    const enrichment = await fixture.enrichmentOf(leadId);
    expect(enrichment).not.toHaveProperty('incomplete');
    expect(enrichment?.facts).toMatchObject({ mailHosts: { value: [], source: 'dns' } });
  });

  test('of more than three receives sends no lead to the dead-letter queue', async () => {
    fixture.dns.behaviours.set('analytical.com', 'silent');
    const leadId = await fixture.putLead();
    const environment = fixture.newEnvironment({ mailExchanges: fixture.mailExchanges(300) });
    expect(await environment.receive(leadId, 4)).toEqual([]);
    const enrichment = await fixture.enrichmentOf(leadId);
    expect(enrichment).toMatchObject({ state: 'enriched', incomplete: ['dns'], attempts: 4 });
    expect(enrichment?.facts).not.toHaveProperty('mailHosts');
    expect(enrichment?.facts).toHaveProperty('phone');
  });
});

describe('a provider', () => {
  test('adds facts under its own name', async () => {
    server.play(respondWith(200, { employees: 120, email: 'other@analytical.com' }));
    const leadId = await fixture.putLead();
    await fixture.newEnvironment({ provider: provider() }).receive(leadId);
    expect((await fixture.enrichmentOf(leadId))?.facts).toMatchObject({
      email: { value: 'ada@analytical.com', source: 'body' },
      'provider.employees': { value: 120, source: 'provider' },
      'provider.email': { value: 'other@analytical.com', source: 'provider' },
    });
    expect(server.received[0]?.body).toEqual({
      email: 'ada@analytical.com',
      domain: 'analytical.com',
      phone: '+4930901820',
      name: 'Ada Byron',
      company: 'Analytical Engines',
    });
  });

  test('that hangs leaves time to store the other facts', async () => {
    server.play(stall);
    const leadId = await fixture.putLead();
    const environment = fixture.newEnvironment({ provider: provider(), deadlineMilliseconds: 3_000 });
    expect(await environment.receive(leadId, 4)).toEqual([]);
    expect(await fixture.enrichmentOf(leadId)).toMatchObject({ state: 'enriched', incomplete: ['provider'] });
  });
});

describe('DynamoDB in trouble', () => {
  const meta = { $metadata: {}, message: 'injected' };

  test.each([
    ['throttled while reading', 'BatchGetItem', new ProvisionedThroughputExceededException(meta)],
    ['unavailable while reading', 'BatchGetItem', new InternalServerError(meta)],
    ['unavailable while writing', 'PutItem', new InternalServerError(meta)],
  ])('%s: every receive returns the message, and nothing is recorded', async (_, command, error) => {
    const leadId = await fixture.putLead();
    fixture.calls.injectBefore((called) => (called === command ? error : undefined));
    const environment = fixture.newEnvironment();
    expect(await environment.receive(leadId, 1)).toHaveLength(1);
    expect(await environment.receive(leadId, 5)).toHaveLength(1);
    expect(environment.lines()[0]).toMatchObject({
      code: 'enrichment.retried',
      level: 'ERROR',
      error: error.name,
    });
    expect(environment.delays.map(({ seconds }) => seconds)).toEqual([3, 90]);
    expect(await fixture.enrichmentOf(leadId)).toBeUndefined();
  });

  test('and SQS too: the message is still returned', async () => {
    const leadId = await fixture.putLead();
    fixture.calls.injectBefore((command) =>
      command === 'BatchGetItem' ? new InternalServerError(meta) : undefined,
    );
    const environment = fixture.newEnvironment({
      visibility: { comeBackIn: () => Promise.reject(new Error('no SQS')) },
    });
    expect(await environment.receive(leadId)).toHaveLength(1);
  });
});
