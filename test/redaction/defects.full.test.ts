import { InternalServerError } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { makeEnrichmentProvider } from '../../lambdas/enrichment/provider-http.ts';
import { makeProviderKey } from '../../lambdas/enrichment/provider-key-store.ts';
import type { Surface } from '../../lambdas/model/limits.ts';
import { openSubmissionFixture as openEnrichment } from '../lambdas/enrichment/enrichment-fixture.ts';
import { respondWith, startProviderServer } from '../lambdas/enrichment/external-servers.ts';
import { openSubmissionFixture, REJECTED } from '../lambdas/submission/submission-fixture.ts';
import { escaped, makeCanaries } from './canaries.ts';

// Failures that no request can cause: a store, name server or provider that fails and quotes its input.

describe('a store that fails with a message that quotes its input', () => {
  const fixture = openSubmissionFixture();
  afterEach(() => fixture.calls.injectBefore(undefined));

  test.each<[Surface, string]>([
    ['1a', 'GetItem'],
    ['1a', 'BatchGetItem'],
    ['1a', 'UpdateItem'],
    ['1a', 'TransactWriteItems'],
    ['1b', 'GetItem'],
    ['1b', 'BatchGetItem'],
    ['1b', 'Query'],
    ['1b', 'UpdateItem'],
    ['1b', 'TransactWriteItems'],
  ])('leaves none of it behind, on %s at %s', async (surface, command) => {
    const canaries = makeCanaries();
    const sender = await fixture.newSender();
    canaries.track('the token', sender.token.slice(9, -4));
    canaries.track('the secret', sender.secret.slice(6));
    const key = canaries.create('the key');
    const email = canaries.create('the e-mail');
    const header = canaries.create('a header');
    const body = JSON.stringify({ email: `${email}@example.com` });
    const quoting = Object.assign(
      new InternalServerError({
        $metadata: {},
        message: `at ${key} ${body} ${sender.token} ${sender.secret}`,
      }),
      { Item: { body: { S: body } }, cause: new Error(email) },
    );
    let failed = false;
    fixture.calls.injectBefore((called) => {
      if (called !== command || failed) return undefined;
      failed = true;
      return quoting;
    });
    const environment = fixture.newEnvironment();
    const { logLines } = environment;
    const headers = { 'X-SVC-Idempotency-Key': key, Cookie: header };
    expect(await environment.send(surface, sender, { body, headers })).toEqual(REJECTED);
    expect(logLines.join()).toContain('submission.defect');
    const kept = await fixture.diagnosticsOf(sender.workspaceId);
    const haystack = new Map([
      ['logs', logLines.join('\n')],
      ['diagnostics', JSON.stringify(kept)],
    ] as const);
    expect(escaped(canaries.all, haystack)).toEqual([]);
  });
});

describe('an enrichment whose sources fail', () => {
  let fixture: Awaited<ReturnType<typeof openEnrichment>>;
  let server: Awaited<ReturnType<typeof startProviderServer>>;
  beforeAll(async () => {
    [fixture, server] = await Promise.all([openEnrichment(), startProviderServer()]);
  });
  afterAll(() => Promise.all([fixture.close(), server.close()]));

  test.each([
    ['the provider fails, and quotes its key', 500],
    ['the provider refuses, and quotes its key', 422],
    ['the provider answers with nonsense, and quotes its key', 200],
  ])('logs nothing and keeps only facts when %s', async (_, status) => {
    const canaries = makeCanaries();
    const providerKey = canaries.create("the provider's key");
    const said = canaries.create("the provider's words");
    const domain = `${canaries.create("the e-mail's domain", ['leads'])}.com`;
    const note = canaries.create('a note');
    fixture.dns.behaviours.set(domain, { rcode: 'SERVFAIL' });
    server.play(respondWith(status, `${said} ${providerKey}`));
    const environment = fixture.newEnvironment({
      provider: makeEnrichmentProvider({
        url: server.url,
        now: () => fixture.clock.now,
        pause: async () => undefined,
        key: makeProviderKey({ now: () => fixture.clock.now, readSecret: async () => providerKey }),
      }),
    });
    const leadId = await fixture.putLead({ name: 'Ada Byron', email: `ada@${domain}`, note });
    // From the fourth receive on it is written without them.
    for (const receiveCount of [1, 5]) await environment.receive(leadId, receiveCount);
    const kept = await fixture.enrichmentOf(leadId);
    expect(kept).toMatchObject({ state: 'enriched', incomplete: expect.arrayContaining(['provider']) });
    const haystack = new Map([
      ['logs', environment.logText.join('\n')],
      ['leads', JSON.stringify(kept)],
    ] as const);
    expect(environment.logText.length).toBeGreaterThan(0);
    expect(escaped(canaries.all, haystack)).toEqual([]);
  });

  test.each(['BatchGetItem', 'PutItem'])('logs nothing when %s fails and quotes a lead', async (command) => {
    const canaries = makeCanaries();
    const email = `ada@${canaries.create("the e-mail's domain")}.com`;
    const message = `at ${email}`;
    const quoting = new InternalServerError({ $metadata: {}, message });
    const environment = fixture.newEnvironment();
    const leadId = await fixture.putLead({ email });
    fixture.calls.injectBefore((called) => (called === command ? quoting : undefined));
    await environment.receive(leadId);
    fixture.calls.injectBefore(undefined);
    expect(environment.codes()).toEqual(['retried']);
    expect(escaped(canaries.all, new Map([['logs', environment.logText.join('\n')]]))).toEqual([]);
  });

  test('logs nothing of a body that cannot be read', async () => {
    const canaries = makeCanaries();
    const environment = fixture.newEnvironment();
    const body = `{"email": ${canaries.create('the e-mail')}`;
    await environment.receive(await fixture.putLead({}, { body }));
    expect(environment.codes()).toEqual(['failed']);
    expect(escaped(canaries.all, new Map([['logs', environment.logText.join('\n')]]))).toEqual([]);
  });
});
