import { TransactionConflictException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { eventOf, messageAbout, openSubmissionFixture, SAMPLE } from './enrichment-fixture.ts';

const fixture = await openSubmissionFixture();
fixture.dns.behaviours.set('analytical.com', { exchanges: [[1, 'mx.zoho.eu']] });
afterAll(fixture.close);
afterEach(() => {
  fixture.calls.injectBefore(undefined);
  fixture.calls.injectAfter(undefined);
});

const meta = { $metadata: {}, message: 'injected' };

describe('the same message again', () => {
  test('changes nothing, and asks neither DNS nor the provider', async () => {
    const leadId = await fixture.putLead();
    await fixture.newEnvironment().receive(leadId);
    const before = await fixture.enrichmentOf(leadId);
    fixture.clock.now += 60_000;
    fixture.dns.asked.length = 0;
    fixture.calls.reset();
    const again = fixture.newEnvironment();
    expect(await again.receive(leadId, 2)).toEqual([]);
    expect(again.codes()).toEqual(['already_enriched']);
    expect(await fixture.enrichmentOf(leadId)).toEqual(before);
    expect(fixture.calls.commands()).toEqual(['BatchGetItem']);
    expect(fixture.dns.asked).toEqual([]);
  });

  test('at the same time, in one batch and in several environments, writes once', async () => {
    const leadId = await fixture.putLead();
    const environments = Array.from({ length: 4 }, () => fixture.newEnvironment());
    const responses = await Promise.all(
      environments.map(({ enrich }) =>
        enrich(eventOf(...Array.from({ length: 5 }, () => messageAbout(leadId)))),
      ),
    );
    expect(responses.flatMap(({ batchItemFailures }) => batchItemFailures)).toEqual([]);
    const codes = environments.flatMap((environment) => environment.codes());
    expect(codes.filter((code) => code === 'enriched')).toHaveLength(1);
    expect(codes.filter((code) => code === 'already_enriched')).toHaveLength(19);
  });

  test('about a lead that failed does not touch the record, unless the lead was fixed', async () => {
    const leadId = await fixture.putLead();
    await fixture.putLead(SAMPLE, { leadId, body: '{' });
    await fixture.newEnvironment().receive(leadId);
    const failed = await fixture.enrichmentOf(leadId);
    expect(failed).toMatchObject({ state: 'failed' });
    fixture.clock.now += 60_000;
    const again = fixture.newEnvironment();
    expect(await again.receive(leadId)).toEqual([]);
    expect(again.codes()).toEqual(['already_failed']);
    expect(await fixture.enrichmentOf(leadId)).toEqual(failed);
    await fixture.putLead(SAMPLE, { leadId });
    await again.receive(leadId);
    const fixed = await fixture.enrichmentOf(leadId);
    expect(fixed).toMatchObject({ state: 'enriched' });
    expect(fixed).not.toHaveProperty('reason');
  });
});

test('a slow receive does not overwrite the result of a later one', async () => {
  const leadId = await fixture.putLead();
  let overtaken = false;
  fixture.calls.injectBefore(async (command) => {
    if (command !== 'PutItem' || overtaken) return undefined;
    overtaken = true;
    await fixture.newEnvironment().receive(leadId, 2);
    return undefined;
  });
  const slow = fixture.newEnvironment();
  expect(await slow.receive(leadId, 1)).toEqual([]);
  expect(slow.codes()).toEqual(['already_enriched']);
  expect(await fixture.enrichmentOf(leadId)).toMatchObject({ attempts: 2 });
});

describe('the lead itself', () => {
  test.each([
    ['plain', SAMPLE],
    ['packed', { ...SAMPLE, message: 'word '.repeat(4_000) }],
  ])('is enriched and not touched: every byte of a %s one stays the same', async (kind, fields) => {
    const leadId = await fixture.putLead(fields);
    const before = await fixture.leadItem(leadId);
    expect(before).toHaveProperty(kind === 'packed' ? 'packed' : 'body');
    await fixture.newEnvironment().receive(leadId);
    expect(await fixture.enrichmentOf(leadId)).toMatchObject({ state: 'enriched' });
    expect(await fixture.leadItem(leadId)).toEqual(before);
  });
});

describe('a write that meets a transaction', () => {
  test.each([
    ['conflict', () => new TransactionConflictException(meta)],
    ['one in progress', () => new TransactionInProgressException(meta)],
  ])('%s is retried until it succeeds', async (_, error) => {
    const leadId = await fixture.putLead();
    const errors = [error(), error(), error()];
    fixture.calls.injectBefore((command) => (command === 'PutItem' ? errors.shift() : undefined));
    const environment = fixture.newEnvironment();
    expect(await environment.receive(leadId)).toEqual([]);
    expect(environment.codes()).toEqual(['enriched']);
  });

  test('that does not end returns the message to the queue at the deadline', async () => {
    const leadId = await fixture.putLead();
    fixture.calls.injectBefore((command) =>
      command === 'PutItem' ? new TransactionConflictException(meta) : undefined,
    );
    const environment = fixture.newEnvironment({ deadlineMilliseconds: 1_500 });
    expect(await environment.receive(leadId)).toHaveLength(1);
    expect(environment.codes()).toEqual(['retried']);
  });
});

test('a write whose response was lost is found done by the next receive', async () => {
  const leadId = await fixture.putLead();
  const lost = [Object.assign(new Error('socket hang up'), { name: 'TimeoutError' })];
  fixture.calls.injectAfter((command) => (command === 'PutItem' ? lost.shift() : undefined));
  const environment = fixture.newEnvironment();
  expect(await environment.receive(leadId, 1)).toHaveLength(1);
  expect(await environment.receive(leadId, 2)).toEqual([]);
  expect(environment.codes()).toEqual(['retried', 'already_enriched']);
  expect(await fixture.enrichmentOf(leadId)).toMatchObject({ attempts: 1 });
});
