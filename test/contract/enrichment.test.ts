import { setTimeout as sleep } from 'node:timers/promises';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { openStack } from '../../bin/leadctl/open-stack.ts';
import { makeLeadArchive, type WholeLead } from '../../lambdas/settings/leads/whole-leads-store.ts';
import { localStack } from '../local-stack.ts';
import { openContract, submissionId, submit } from './tenant.ts';

// Specification: What the service does. Each lead is scored; clean submissions are also enriched asynchronously.
const contract = openContract();
const archive = makeLeadArchive({ ...contract, now: Date.now });

const CLEAN =
  '{"name":"Grace Okafor","email":"Grace.Okafor@harbourlight.co.uk","phone":"+44 20 7946 0958","company":"Harbour Light Ltd","message":"Please send a quote for 40 desks."}';
const SPAM =
  '{"name":"SEO Expert","email":"rank@best-seo-offers.com","message":"We offer cheap backlinks and guaranteed first page ranking on Google! Buy now http://a.example http://b.example http://c.example"}';

/** Reads a lead until it is as awaited. The bound is for a machine that is busy with other things. */
async function until(leadId: string, awaited: (whole: WholeLead) => boolean): Promise<WholeLead> {
  for (let waited = 0; waited < 60_000; waited += 100) {
    const whole = await archive.read(leadId, AbortSignal.timeout(5_000));
    if (whole && awaited(whole)) return whole;
    await sleep(100);
  }
  throw new Error('it did not happen within a minute');
}

describe('a clean lead', () => {
  test.each(['1a', '1b'] as const)(
    'from surface %s is enriched, and its body and score stay as they were',
    async (surface) => {
      const tenant = await contract.newTenant();
      const id = submissionId(await submit(surface, tenant, { body: CLEAN }));
      const before = await contract.lead(id);
      const { lead, enrichment } = await until(id, ({ state }) => state === 'enriched');
      expect(lead).toEqual(before);
      expect(lead).toMatchObject({ body: CLEAN, clean: true });
      expect(enrichment?.facts).toMatchObject({
        email: { value: 'grace.okafor@harbourlight.co.uk', source: expect.any(String) },
        emailDomain: { value: 'harbourlight.co.uk' },
        mailClass: { value: 'company' },
        phone: { value: '+442079460958', source: 'phone-metadata' },
        phoneCountry: { value: 'GB' },
        firstName: { value: 'Grace' },
        lastName: { value: 'Okafor' },
      });
    },
  );

  test('of a burst is never left out', async () => {
    const tenant = await contract.newTenant();
    const ids = (
      await Promise.all(Array.from({ length: 60 }, () => submit('1a', tenant, { body: CLEAN })))
    ).map(submissionId);
    for (const id of ids) await until(id, ({ state }) => state === 'enriched');
  });
});

describe('a lead that is not clean', () => {
  test('is scored and kept, and its enrichment is skipped', async () => {
    const tenant = await contract.newTenant();
    const spam = submissionId(await submit('1b', tenant, { body: SPAM }));
    const clean = submissionId(await submit('1b', tenant, { body: CLEAN }));
    // The stream is in order of nothing in particular, but once the clean one is through there was time enough.
    await until(clean, ({ state }) => state === 'enriched');
    expect(await archive.read(spam, AbortSignal.timeout(5_000))).toMatchObject({
      state: 'skipped',
      enrichment: undefined,
      lead: { clean: false, body: SPAM },
    });
  });
});

describe('the queue', () => {
  const { queueClient, outputs } = openStack(localStack().outputsFile);
  const queue = (MessageBody: string) =>
    queueClient.send(new SendMessageCommand({ QueueUrl: outputs.enrichmentQueueUrl, MessageBody }));

  test('may hold a lead twice, a lead that is gone, and what nobody can read: the rest is enriched once', async () => {
    const tenant = await contract.newTenant();
    await queue('this is no message of ours');
    await queue(JSON.stringify({ leadId: '01890a5d-ac96-774b-bcce-b302099a8057' }));
    const id = submissionId(await submit('1a', tenant, { body: CLEAN }));
    const first = await until(id, ({ state }) => state === 'enriched');
    await queue(JSON.stringify({ leadId: id }));
    const next = submissionId(await submit('1a', tenant, { body: CLEAN }));
    await until(next, ({ state }) => state === 'enriched');
    expect((await archive.read(id, AbortSignal.timeout(5_000)))?.enrichment).toEqual(first.enrichment);
  });
});

test('accepted leads show in the stats of their hour and form', async () => {
  const tenant = await contract.newTenant();
  for (let i = 0; i < 5; i += 1) submissionId(await submit('1a', tenant, { body: i % 2 ? CLEAN : SPAM }));
  const sum = async (name: string) => {
    const { Items = [] } = await contract.client.send(
      new QueryCommand({
        TableName: contract.tables.stats,
        KeyConditionExpression: 'workspaceId = :workspaceId AND begins_with(sk, :hour)',
        ExpressionAttributeValues: { ':workspaceId': tenant.workspaceId, ':hour': 'hour#' },
        ConsistentRead: true,
      }),
    );
    return Items.reduce((total, item) => total + Number(item[name] ?? 0), 0);
  };
  for (let waited = 0; (await sum('accepted')) < 5 && waited < 60_000; waited += 100) await sleep(100);
  expect([await sum('accepted'), await sum('clean')]).toEqual([5, 2]);
});
