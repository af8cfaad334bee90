import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import { DeleteCommand, GetCommand, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { formerListBucket } from '../../lambdas/leads/search/former-index-store.ts';
import { listKey, personBucket } from '../../lambdas/leads/search/index-entry.ts';
import { personKey } from '../../lambdas/leads/search/lead-contact.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { makeOwnQueues, outputsWith } from './own-engines.ts';
import { openTestStack, resultOf, runLeadctl, startLeadctl } from './run-leadctl.ts';

const stack = openTestStack();
const folder = temporaryFolder('leadctl-reindex');
const { administration, client, queueClient, tables } = stack;

const EMAIL = 'zelda@games.example';

/** A workspace with leads to two forms, one of them archived. */
async function workspaceWithLeads(leadsOfEach: number) {
  const form = await stack.newForm();
  const { workspaceId } = form;
  const old = await administration.createForm({ workspaceId, name: 'Old' });
  const bodies = Array(leadsOfEach).fill({ body: JSON.stringify({ name: 'Zelda', email: EMAIL }) });
  const leads = [...(await stack.putLeads(form, bodies)), ...(await stack.putLeads(old, bodies))];
  await administration.archiveForm(old.formId);
  return { workspaceId, leadIds: leads.map(({ leadId }) => leadId).sort() };
}

/** The test stack with a queue of its own for the index, which nobody reads. */
async function ownQueue() {
  const queues = await makeOwnQueues(queueClient);
  const file = outputsWith(queues, folder);
  return { file, QueueUrl: queues[OUTPUTS.queues.index] as string };
}

/** As versions before 0.2 wrote them: one list, and an entry for each beginning of a word. */
async function putFormerEntries(workspaceId: string, leadId: string): Promise<void> {
  const words = ` zelda ${EMAIL} games.example `;
  const entry = { leadId, score: 50, clean: false, words, v: 1 };
  const list = { ...entry, bucket: formerListBucket(workspaceId), name: 'Zelda', email: EMAIL };
  for (const Item of [
    { ...list, buckets: ['zel', 'gam'] },
    ...['zel', 'gam'].map((letters) => ({ ...entry, bucket: `${workspaceId}#${letters}` })),
  ]) {
    await client.send(new PutCommand({ TableName: tables.leadIndex, Item }));
  }
}

async function bucketsOf(workspaceId: string): Promise<string[]> {
  const buckets: string[] = [];
  const scan = { TableName: tables.leadIndex, ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client }, scan)) {
    buckets.push(...Items.map(({ bucket }) => bucket as string));
  }
  return buckets.filter((bucket) => bucket.includes(workspaceId));
}

async function received(QueueUrl: string): Promise<Record<string, string>[]> {
  const found: Record<string, string>[] = [];
  for (;;) {
    const { Messages = [] } = await queueClient.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 60 }),
    );
    if (Messages.length === 0) return found;
    found.push(...Messages.map(({ Body }) => JSON.parse(Body ?? '') as Record<string, string>));
  }
}

async function countIn(QueueUrl: string): Promise<number> {
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  const { Attributes } = await queueClient.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  return Number(Attributes?.ApproximateNumberOfMessages);
}

describe('leads reindex', () => {
  test('names every lead of the workspace on the queue, by its ids only, and prints no lead', async () => {
    const [{ workspaceId, leadIds }, { file, QueueUrl }] = [await workspaceWithLeads(12), await ownQueue()];
    const args = ['--outputs', file, 'leads', 'reindex', '--workspace', workspaceId, '--yes', '--json'];
    expect(await runLeadctl(args)).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: `${JSON.stringify({ workspaces: 1, queued: 24, removed: 0 })}\n`,
    });
    const messages = await received(QueueUrl);
    expect(messages.sort((one, other) => ((one.leadId ?? '') < (other.leadId ?? '') ? -1 : 1))).toEqual(
      leadIds.map((leadId) => ({ type: 'lead.reindexed', workspaceId, leadId })),
    );
  });

  test('fills the new index from data of the former version, and removes the former entries', async () => {
    const { workspaceId, leadIds } = await workspaceWithLeads(1);
    const keys = leadIds.flatMap((leadId) => [
      listKey({ workspaceId, leadId }),
      { bucket: personBucket(workspaceId, personKey('email', EMAIL)), leadId },
    ]);
    const find = async () => {
      const found = await Promise.all(
        keys.map((Key) => client.send(new GetCommand({ TableName: tables.leadIndex, Key }))),
      );
      return found.filter(({ Item }) => Item !== undefined).length;
    };
    expect(await until(find, (found) => found === keys.length)).toBe(keys.length);
    for (const Key of keys) await client.send(new DeleteCommand({ TableName: tables.leadIndex, Key }));
    expect(await find()).toBe(0);
    for (const leadId of leadIds) await putFormerEntries(workspaceId, leadId);
    expect(
      await resultOf<{ queued: number }>(['leads', 'reindex', '--workspace', workspaceId, '--yes']),
    ).toEqual({ workspaces: 1, queued: 2, removed: 6 });
    expect(await until(find, (found) => found === keys.length)).toBe(keys.length);
    // A scan decides: nothing of the former version is left.
    const buckets = await bucketsOf(workspaceId);
    expect(buckets.filter((bucket) => bucket.startsWith('ws_') || bucket === `list#${workspaceId}`)).toEqual(
      [],
    );
    expect(buckets).toHaveLength(keys.length + 1);
  });

  test('waits while the queue is long, and says how to continue when interrupted', async () => {
    const [{ workspaceId }, { file, QueueUrl }] = [await workspaceWithLeads(3), await ownQueue()];
    const Entries = Array.from({ length: 10 }, (_, index) => ({ Id: String(index), MessageBody: '{}' }));
    const fill = () => queueClient.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    await Promise.all(Array.from({ length: 200 }, fill));
    const args = ['--outputs', file, 'leads', 'reindex', '--workspace', workspaceId, '--yes'];
    const { child, run } = startLeadctl(args);
    await until(
      () => countIn(QueueUrl),
      (count) => count === 2_003,
    );
    child.kill('SIGINT');
    const { exitCode, stdout, stderr } = await run;
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
    expect(stderr).toMatch(
      /^leadctl: Interrupted after 3 leads\. To continue, run .*leads reindex --from ws_/,
    );
    expect(await countIn(QueueUrl)).toBe(2_003);
  });
});
