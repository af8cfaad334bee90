import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { openStack } from '../../bin/operator/open-stack.ts';
import { CLEAN, NOT_CLEAN } from '../../conformance/world/submission.ts';
import { makeLeadArchive, type WholeLead } from '../../lambdas/leads/whole-leads-store.ts';
import { localStack } from '../local-stack.ts';
import { until } from '../until.ts';
import { openContract, submissionId, submit } from './tenant.ts';

// What the rows of the specification cannot show: bursts, the queue and the stats table.
const contract = openContract();
const archive = makeLeadArchive({ ...contract, now: Date.now });

/** The bound is for a busy machine. */
async function untilEnriched(leadId: string): Promise<WholeLead> {
  const read = () => archive.read(leadId, AbortSignal.timeout(5_000));
  const whole = await until(read, (found) => found?.state === 'enriched');
  if (whole?.state !== 'enriched') throw new Error('the lead was not enriched');
  return whole;
}

test('every clean lead of a burst is enriched', async () => {
  const tenant = await contract.newTenant();
  const ids = (
    await Promise.all(Array.from({ length: 60 }, () => submit('1a', tenant, { body: CLEAN })))
  ).map(submissionId);
  for (const id of ids) await untilEnriched(id);
});

describe('the queue', () => {
  const { queueClient, outputs } = openStack(localStack().outputsFile);
  const queue = (MessageBody: string) =>
    queueClient.send(new SendMessageCommand({ QueueUrl: outputs.enrichmentQueueUrl, MessageBody }));

  test('may contain a lead twice, a deleted lead and an unreadable message: every lead is enriched once', async () => {
    const tenant = await contract.newTenant();
    await queue('not a message of this service');
    await queue(JSON.stringify({ leadId: '01890a5d-ac96-774b-bcce-b302099a8057' }));
    const id = submissionId(await submit('1a', tenant, { body: CLEAN }));
    const first = await untilEnriched(id);
    await queue(JSON.stringify({ leadId: id }));
    const next = submissionId(await submit('1a', tenant, { body: CLEAN }));
    await untilEnriched(next);
    expect((await archive.read(id, AbortSignal.timeout(5_000)))?.enrichment).toEqual(first.enrichment);
  });
});

test('accepted leads are counted in the stats of their hour', async () => {
  const tenant = await contract.newTenant();
  for (let i = 0; i < 5; i += 1)
    submissionId(await submit('1a', tenant, { body: i % 2 ? CLEAN : NOT_CLEAN }));
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
  const sums = async () => [await sum('accepted'), await sum('clean')];
  expect(await until(sums, ([accepted]) => accepted === 5)).toEqual([5, 2]);
});
