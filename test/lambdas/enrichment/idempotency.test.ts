import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventOf, messageAbout, openWorkbench, SAMPLE, type Workbench } from './workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
  bench.dns.behaviours.set('analytical.com', { exchanges: [[1, 'mx.zoho.eu']] });
});
afterAll(() => bench.close());
afterEach(() => {
  bench.calls.injectBefore(undefined);
  bench.calls.injectAfter(undefined);
});

const meta = { $metadata: {}, message: 'injected' };

describe('the same message again', () => {
  test('changes nothing, and asks neither DNS nor the provider', async () => {
    const leadId = await bench.putLead();
    await bench.newEnvironment().receive(leadId);
    const before = await bench.enrichmentOf(leadId);
    bench.clock.now += 60_000;
    bench.dns.asked.length = 0;
    bench.calls.reset();
    const again = bench.newEnvironment();
    expect(await again.receive(leadId, 2)).toEqual([]);
    expect(again.codes()).toEqual(['already_enriched']);
    expect(await bench.enrichmentOf(leadId)).toEqual(before);
    expect(bench.calls.commands()).toEqual(['BatchGetItem']);
    expect(bench.dns.asked).toEqual([]);
  });

  test('at the same time, in one batch and in several environments, writes once', async () => {
    const leadId = await bench.putLead();
    const environments = Array.from({ length: 4 }, () => bench.newEnvironment());
    const answers = await Promise.all(
      environments.map(({ enrich }) =>
        enrich(eventOf(...Array.from({ length: 5 }, () => messageAbout(leadId)))),
      ),
    );
    expect(answers.flatMap(({ batchItemFailures }) => batchItemFailures)).toEqual([]);
    const codes = environments.flatMap((environment) => environment.codes());
    expect(codes.filter((code) => code === 'enriched')).toHaveLength(1);
    expect(codes.filter((code) => code === 'already_enriched')).toHaveLength(19);
  });

  test('about a lead that failed does not touch the record', async () => {
    const leadId = await bench.putLead({ consent: true });
    await bench.newEnvironment().receive(leadId);
    const before = await bench.enrichmentOf(leadId);
    bench.clock.now += 60_000;
    const again = bench.newEnvironment();
    expect(await again.receive(leadId)).toEqual([]);
    expect(again.codes()).toEqual(['already_failed']);
    expect(await bench.enrichmentOf(leadId)).toEqual(before);
  });
});

test('a slow receive does not overwrite the result of a later one', async () => {
  const leadId = await bench.putLead();
  let overtaken = false;
  bench.calls.injectBefore(async (command) => {
    if (command !== 'TransactWriteItems' || overtaken) return undefined;
    overtaken = true;
    await bench.newEnvironment().receive(leadId, 2);
    return undefined;
  });
  const slow = bench.newEnvironment();
  expect(await slow.receive(leadId, 1)).toEqual([]);
  expect(slow.codes()).toEqual(['already_enriched']);
  expect(await bench.enrichmentOf(leadId)).toMatchObject({ attempts: 2 });
});

test('a lead that failed and is sent again after a fix is enriched', async () => {
  const leadId = await bench.putLead(SAMPLE);
  bench.calls.injectBefore(undefined);
  const damaged = await bench.putLead(SAMPLE, { leadId, body: '{' });
  expect(damaged).not.toBe(leadId);
  await bench.newEnvironment().receive(leadId);
  expect(await bench.enrichmentOf(leadId)).toMatchObject({ state: 'failed' });
  await bench.putLead(SAMPLE, { leadId });
  await bench.newEnvironment().receive(leadId);
  const fixed = await bench.enrichmentOf(leadId);
  expect(fixed).toMatchObject({ state: 'enriched' });
  expect(fixed).not.toHaveProperty('reason');
});

describe('the lead itself', () => {
  test.each([
    ['plain', SAMPLE],
    ['packed', { ...SAMPLE, message: 'word '.repeat(4_000) }],
  ])('is not touched: every byte of a %s one stays the same', async (_, fields) => {
    const leadId = await bench.putLead(fields);
    const before = await bench.leadItem(leadId);
    await bench.newEnvironment().receive(leadId);
    expect(await bench.leadItem(leadId)).toEqual(before);
  });

  test('that is deleted between read and write stays deleted, without an orphaned enrichment', async () => {
    const leadId = await bench.putLead();
    bench.calls.injectBefore(async (command) => {
      if (command === 'TransactWriteItems') await bench.deleteLead(leadId);
      return undefined;
    });
    const environment = bench.newEnvironment();
    expect(await environment.receive(leadId)).toEqual([]);
    expect(environment.codes()).toEqual(['gone']);
    expect(await bench.leadItem(leadId)).toBeUndefined();
    expect(await bench.enrichmentOf(leadId)).toBeUndefined();
  });
});

describe('a conflicting transaction', () => {
  const cancelled = (...codes: string[]) =>
    new TransactionCanceledException({ ...meta, CancellationReasons: codes.map((Code) => ({ Code })) });

  test.each([
    ['conflict on the lead', () => cancelled('TransactionConflict', 'None')],
    ['conflict on the enrichment', () => cancelled('None', 'TransactionConflict')],
    ['throttling', () => cancelled('None', 'ThrottlingError')],
    ['one in progress', () => new TransactionInProgressException(meta)],
  ])('%s is retried until it succeeds', async (_, error) => {
    const leadId = await bench.putLead();
    const errors = [error(), error(), error()];
    bench.calls.injectBefore((command) => (command === 'TransactWriteItems' ? errors.shift() : undefined));
    const environment = bench.newEnvironment();
    expect(await environment.receive(leadId)).toEqual([]);
    expect(environment.codes()).toEqual(['enriched']);
  });

  test('that does not end returns the message to the queue at the deadline', async () => {
    const leadId = await bench.putLead();
    bench.calls.injectBefore((command) =>
      command === 'TransactWriteItems' ? cancelled('TransactionConflict', 'None') : undefined,
    );
    const environment = bench.newEnvironment({ deadlineMilliseconds: 1_500 });
    expect(await environment.receive(leadId)).toHaveLength(1);
    expect(environment.codes()).toEqual(['retried']);
  });

  test('whose answer was lost is found done by the next receive', async () => {
    const leadId = await bench.putLead();
    const lost = [Object.assign(new Error('socket hang up'), { name: 'TimeoutError' })];
    bench.calls.injectAfter((command) => (command === 'TransactWriteItems' ? lost.shift() : undefined));
    const environment = bench.newEnvironment();
    expect(await environment.receive(leadId, 1)).toHaveLength(1);
    expect(await environment.receive(leadId, 2)).toEqual([]);
    expect(environment.codes()).toEqual(['retried', 'already_enriched']);
    expect(await bench.enrichmentOf(leadId)).toMatchObject({ attempts: 1 });
  });
});
