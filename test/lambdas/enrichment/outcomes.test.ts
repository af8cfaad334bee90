import { InternalServerError, ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeEnrichmentProvider } from '#enrichment/provider-http.ts';
import { makeProviderKey } from '#enrichment/provider-key-store.ts';
import { answer, stall, startProviderServer } from './external-servers.ts';
import { openWorkbench, SAMPLE, type Workbench } from './workbench.ts';

let bench: Workbench;
let server: Awaited<ReturnType<typeof startProviderServer>>;

beforeAll(async () => {
  [bench, server] = await Promise.all([openWorkbench(), startProviderServer()]);
});
afterAll(() => Promise.all([bench.close(), server.close()]));
beforeEach(() => {
  bench.dns.behaviours.clear();
  bench.dns.behaviours.set('analytical.com', { exchanges: [[1, 'aspmx.l.google.com']] });
});
afterEach(() => bench.calls.injectBefore(undefined));

const provider = () =>
  makeEnrichmentProvider({
    url: server.url,
    now: () => bench.clock.now,
    pause: async () => undefined,
    key: makeProviderKey({ now: () => bench.clock.now, readSecret: async () => 'key-1' }),
  });

test('a clean lead is enriched, in a separate item', async () => {
  const leadId = await bench.putLead();
  const environment = bench.newEnvironment();
  expect(await environment.receive(leadId)).toEqual([]);
  expect(await bench.enrichmentOf(leadId)).toEqual({
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
    facts: {
      email: { value: 'ada@analytical.com', source: 'body' },
      emailDomain: { value: 'analytical.com', source: 'public-suffix-list' },
      mailClass: { value: 'company', source: 'mail-lists' },
      companyWebsite: { value: 'https://analytical.com', source: 'mail-lists' },
      mailHosts: { value: ['aspmx.l.google.com'], source: 'dns' },
      mailProvider: { value: 'Google Workspace', source: 'dns' },
      phone: { value: '+4930901820', source: 'phone-metadata' },
      phoneCountry: { value: 'DE', source: 'phone-metadata' },
      phoneType: { value: 'fixed_line', source: 'phone-metadata' },
      country: { value: 'DE', source: 'phone-metadata' },
      timeZone: { value: 'Europe/Berlin', source: 'phone-metadata' },
      firstName: { value: 'Ada', source: 'body' },
      lastName: { value: 'Byron', source: 'body' },
      company: { value: 'Analytical Engines', source: 'body' },
    },
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

test('a compressed lead is enriched like any other', async () => {
  const leadId = await bench.putLead({ ...SAMPLE, message: 'word '.repeat(4_000) });
  expect(await bench.leadItem(leadId)).toHaveProperty('packed');
  await bench.newEnvironment().receive(leadId);
  expect(await bench.enrichmentOf(leadId)).toMatchObject({ state: 'enriched' });
});

test('a domain without mail is a fact, not a failure', async () => {
  bench.dns.behaviours.set('analytical.com', { rcode: 'NXDOMAIN' });
  const leadId = await bench.putLead();
  await bench.newEnvironment().receive(leadId);
  expect((await bench.enrichmentOf(leadId))?.facts).toMatchObject({
    mailHosts: { value: [], source: 'dns' },
  });
});

describe('nothing is written for', () => {
  test('a lead that is not clean', async () => {
    const leadId = await bench.putLead(SAMPLE, { clean: false });
    const environment = bench.newEnvironment();
    expect(await environment.receive(leadId)).toEqual([]);
    expect(environment.codes()).toEqual(['skipped']);
    expect(await bench.enrichmentOf(leadId)).toBeUndefined();
  });

  test('a lead that does not exist', async () => {
    const environment = bench.newEnvironment();
    expect(await environment.receive('01932f4e-0000-7000-8000-000000000000')).toEqual([]);
    expect(environment.codes()).toEqual(['gone']);
  });
});

describe('permanent failures are recorded', () => {
  test.each([
    ['a body that is no JSON', { body: '{' }, 'body_unreadable'],
    ['a body that is damaged', { packed: Buffer.from('damaged') }, 'body_unreadable'],
    ['a body in which nothing is recognised', { body: '{"q1":"forty-two"}' }, 'nothing_recognised'],
  ])('%s', async (_, damage, reason) => {
    const leadId = await bench.putLead(SAMPLE, damage);
    const environment = bench.newEnvironment();
    expect(await environment.receive(leadId)).toEqual([]);
    expect(await bench.enrichmentOf(leadId)).toMatchObject({
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
    bench.dns.behaviours.set('analytical.com', { rcode: 'SERVFAIL' });
    const leadId = await bench.putLead();
    const environment = bench.newEnvironment();
    expect(await environment.receive(leadId, 1)).toHaveLength(1);
    expect(await environment.receive(leadId, 2)).toHaveLength(1);
    expect(environment.delays.map(({ seconds }) => seconds)).toEqual([3, 10]);
    expect(environment.lines()[1]).toMatchObject({
      code: 'enrichment.retried',
      troubles: ['dns:ESERVFAIL'],
      retryInSeconds: 10,
      EnrichmentRetried: 1,
    });
    expect(await bench.enrichmentOf(leadId)).toBeUndefined();

    bench.dns.behaviours.set('analytical.com', { exchanges: [[1, 'mx.zoho.eu']] });
    expect(await environment.receive(leadId, 3)).toEqual([]);
    const enrichment = await bench.enrichmentOf(leadId);
    expect(enrichment).toMatchObject({ state: 'enriched', attempts: 3 });
    expect(enrichment).not.toHaveProperty('incomplete');
  });

  test('that a retry cannot end leaves the mail hosts unknown at once', async () => {
    bench.dns.behaviours.set('analytical.com', { rcode: 'REFUSED' });
    const leadId = await bench.putLead();
    expect(await bench.newEnvironment().receive(leadId, 1)).toEqual([]);
    const enrichment = await bench.enrichmentOf(leadId);
    expect(enrichment).toMatchObject({ state: 'enriched', incomplete: ['dns'], attempts: 1 });
    expect(enrichment?.facts).not.toHaveProperty('mailHosts');
  });

  test('is not the answer that a domain takes no mail', async () => {
    bench.dns.behaviours.set('analytical.com', { exchanges: [[0, '.']] });
    const leadId = await bench.putLead();
    expect(await bench.newEnvironment().receive(leadId, 1)).toEqual([]);
    const enrichment = await bench.enrichmentOf(leadId);
    expect(enrichment).not.toHaveProperty('incomplete');
    expect(enrichment?.facts).toMatchObject({ mailHosts: { value: [], source: 'dns' } });
  });

  test('of more than three receives sends no lead to the dead-letter queue', async () => {
    bench.dns.behaviours.set('analytical.com', 'silent');
    const leadId = await bench.putLead();
    const environment = bench.newEnvironment({ mailExchanges: bench.mailExchanges(300) });
    expect(await environment.receive(leadId, 4)).toEqual([]);
    const enrichment = await bench.enrichmentOf(leadId);
    expect(enrichment).toMatchObject({ state: 'enriched', incomplete: ['dns'], attempts: 4 });
    expect(enrichment?.facts).not.toHaveProperty('mailHosts');
    expect(enrichment?.facts).toHaveProperty('phone');
  });
});

describe('a provider', () => {
  test('adds facts under its own name', async () => {
    server.play(answer(200, { employees: 120, email: 'other@analytical.com' }));
    const leadId = await bench.putLead();
    await bench.newEnvironment({ provider: provider() }).receive(leadId);
    expect((await bench.enrichmentOf(leadId))?.facts).toMatchObject({
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

  test('that refuses leaves the lead enriched without it', async () => {
    server.play(answer(404));
    const leadId = await bench.putLead();
    expect(await bench.newEnvironment({ provider: provider() }).receive(leadId)).toEqual([]);
    expect(await bench.enrichmentOf(leadId)).toMatchObject({ state: 'enriched', incomplete: ['provider'] });
  });

  test('that is down is asked again later, and given up at the fourth receive', async () => {
    server.play(answer(503));
    const leadId = await bench.putLead();
    const environment = bench.newEnvironment({ provider: provider() });
    expect(await environment.receive(leadId, 3)).toHaveLength(1);
    expect(await environment.receive(leadId, 4)).toEqual([]);
    expect(await bench.enrichmentOf(leadId)).toMatchObject({ state: 'enriched', incomplete: ['provider'] });
  });

  test('that hangs leaves time to store the other facts', async () => {
    server.play(stall);
    const leadId = await bench.putLead();
    const environment = bench.newEnvironment({ provider: provider(), deadlineMilliseconds: 3_000 });
    expect(await environment.receive(leadId, 4)).toEqual([]);
    expect(await bench.enrichmentOf(leadId)).toMatchObject({ state: 'enriched', incomplete: ['provider'] });
  });
});

describe('DynamoDB in trouble', () => {
  const meta = { $metadata: {}, message: 'injected' };

  test.each([
    ['throttled while reading', 'BatchGetItem', new ProvisionedThroughputExceededException(meta)],
    ['unavailable while reading', 'BatchGetItem', new InternalServerError(meta)],
    ['unavailable while writing', 'TransactWriteItems', new InternalServerError(meta)],
  ])('%s: every receive returns the message, and nothing is recorded', async (_, command, error) => {
    const leadId = await bench.putLead();
    bench.calls.injectBefore((called) => (called === command ? error : undefined));
    const environment = bench.newEnvironment();
    expect(await environment.receive(leadId, 1)).toHaveLength(1);
    expect(await environment.receive(leadId, 5)).toHaveLength(1);
    expect(environment.lines()[0]).toMatchObject({
      code: 'enrichment.retried',
      level: 'ERROR',
      error: error.name,
    });
    expect(environment.delays.map(({ seconds }) => seconds)).toEqual([3, 90]);
    expect(await bench.enrichmentOf(leadId)).toBeUndefined();
  });

  test('and SQS too: the message is still returned', async () => {
    const leadId = await bench.putLead();
    bench.calls.injectBefore((command) =>
      command === 'BatchGetItem' ? new InternalServerError(meta) : undefined,
    );
    const environment = bench.newEnvironment({
      visibility: { comeBackIn: () => Promise.reject(new Error('no SQS')) },
    });
    expect(await environment.receive(leadId)).toHaveLength(1);
  });
});
