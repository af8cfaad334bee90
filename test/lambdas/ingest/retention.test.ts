import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { openWorkbench, submissionId } from './workbench.ts';

const bench = openWorkbench();
const DAY_SECONDS = 86_400;
/** The bench's clock stands at a whole second. */
const nowSeconds = () => bench.clock.now / 1000;
const keyed = (key: string) => ({ headers: { 'X-SVC-Idempotency-Key': key } });

async function leadItem(leadId: string) {
  const { Item } = await bench.observer.send(
    new GetCommand({
      TableName: bench.stack.tables.leads,
      Key: { leadId, part: 'lead' },
      ConsistentRead: true,
    }),
  );
  return Item;
}

describe.each(['1a', '1b'] as const)('leads of a form on surface %s', (surface) => {
  test('are kept for ever unless the form says otherwise', async () => {
    const sender = await bench.newSender();
    const ingest = bench.newEnvironment();
    for (const request of [{}, keyed('k')]) {
      const stored = await leadItem(submissionId(await ingest.send(surface, sender, request)));
      expect(stored).toBeDefined();
      expect(stored).not.toHaveProperty('expiresAt');
    }
  });

  test('expire as the form says, with and without a key, at the cost of no call', async () => {
    const sender = await bench.newSender();
    const ingest = bench.newEnvironment();
    await bench.administration.setFormRetention({ formId: sender.formId, retentionDays: 30 });
    submissionId(await ingest.send(surface, sender));
    for (const [request, calls] of [
      [{}, ['UpdateItem', 'PutItem']],
      [keyed('k'), ['BatchGetItem', 'UpdateItem', 'TransactWriteItems']],
    ] as const) {
      bench.calls.reset();
      const leadId = submissionId(await ingest.send(surface, sender, request));
      expect(bench.calls.commands()).toEqual(calls);
      expect(await leadItem(leadId)).toMatchObject({ expiresAt: nowSeconds() + 30 * DAY_SECONDS });
    }
  });

  test('follow a change from the next one on, with a warm function; those that are there stay as they are', async () => {
    const sender = await bench.newSender();
    const ingest = bench.newEnvironment();
    const sendAfter = async (retentionDays: number | null) => {
      await bench.administration.setFormRetention({ formId: sender.formId, retentionDays });
      return submissionId(await ingest.send(surface, sender));
    };
    const leadIds = [await sendAfter(null), await sendAfter(7), await sendAfter(1), await sendAfter(null)];
    const expiries = await Promise.all(leadIds.map(async (leadId) => (await leadItem(leadId))?.expiresAt));
    expect(expiries).toEqual([
      undefined,
      nowSeconds() + 7 * DAY_SECONDS,
      nowSeconds() + DAY_SECONDS,
      undefined,
    ]);
  });
});

test('a key of a lead that is kept for a day answers with it until both are gone', async () => {
  const start = bench.clock.now;
  const sender = await bench.newSender();
  const ingest = bench.newEnvironment();
  await bench.administration.setFormRetention({ formId: sender.formId, retentionDays: 1 });
  const original = await ingest.server(sender, keyed('once'));
  const expiresAt = (await leadItem(submissionId(original)))?.expiresAt as number;
  bench.clock.now = start + DAY_SECONDS * 1000 - 1;
  expect(bench.clock.now / 1000).toBeLessThan(expiresAt);
  expect((await ingest.server(sender, keyed('once'))).body).toBe(original.body);
  bench.clock.now = expiresAt * 1000;
  expect(submissionId(await ingest.server(sender, keyed('once')))).not.toBe(submissionId(original));
  bench.clock.now = start;
});

test.each([0, 3_651, 1.5, Number.NaN])('a form keeps no leads for %p days', async (retentionDays) => {
  const { formId } = await bench.newSender();
  await expect(bench.administration.setFormRetention({ formId, retentionDays })).rejects.toThrow(
    'Leads can be kept for 1 to 3650 days, or for ever.',
  );
});
