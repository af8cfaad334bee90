import { randomBytes, randomUUID } from 'node:crypto';
import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { formerListBucket } from '../../lambdas/leads/search/former-index-store.ts';
import { monthsBucket, packKeys, personBucket, toTombstone } from '../../lambdas/leads/search/index-entry.ts';
import { personKey } from '../../lambdas/leads/search/lead-contact.ts';
import { type Lead, makeLeadId } from '../../lambdas/model/lead-item.ts';
import { learnedKey } from '../../lambdas/model/learned.ts';
import { toReviewItem } from '../../lambdas/model/review-item.ts';
import { sendersKey } from '../../lambdas/model/senders.ts';
import { activeMarkKey } from '../../lambdas/stats/active-workspaces-store.ts';
import { waitFor } from '../until.ts';
import {
  endSettling,
  onTestStack,
  openTestStack,
  resultOf,
  startLeadctl,
  testOutputsFile,
} from './run-leadctl.ts';

const stack = openTestStack();

const { client, tables, administration } = stack;

type Item = Record<string, unknown>;

async function everyItemOf(TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    items.push(...Items);
  }
  return items;
}

/** Everything of a workspace in any table, found by scanning each table: indexes are not trusted. */
async function leftOf(workspaceId: string, ...otherIds: readonly string[]): Promise<Item[]> {
  const found = await Promise.all(Object.values(tables).map(everyItemOf));
  const ids = new Set<unknown>(otherIds);
  const isOwned = ({ workspaceId: owner, sk, bucket }: Item) =>
    owner === workspaceId ||
    owner === sendersKey(workspaceId).workspaceId ||
    owner === learnedKey(workspaceId).workspaceId ||
    `${sk}#`.startsWith(`${workspaceId}#`) ||
    `${bucket}`.includes(workspaceId);
  return found.flat().filter((item) => isOwned(item) || ids.has(item.leadId) || ids.has(item.destinationId));
}

/** Entries of leads that are gone: one in the list with a person, one erased before. */
function indexedLeads(workspaceId: string): Item[] {
  const at = Date.parse('2026-02-01T00:00:00Z');
  const [leadId = '', erasedId = ''] = [1, 2].map((n) => makeLeadId(at + n, randomBytes(10)));
  const [key, stale, mentioned] = ['ada@a.example', 'b@b.example', 'c@c.example'].map((email) =>
    personKey('email', email),
  ) as [string, string, string];
  const person = (each: string) => ({ bucket: personBucket(workspaceId, each), leadId });
  return [
    { bucket: monthsBucket(workspaceId), leadId: '2026-02' },
    {
      ...{ bucket: `list#${workspaceId}#2026-02`, leadId, email: 'ada@a.example' },
      ...{ keys: packKeys([mentioned]), stale: packKeys([stale]) },
    },
    ...[key, stale, mentioned].map(person),
    { ...toTombstone({ workspaceId, leadId: erasedId }, [key], at) },
    { ...person(key), leadId: erasedId },
  ];
}

/** With its health and 30 messages, as the send function would leave them. */
async function newDestination(workspaceId: string): Promise<string> {
  const url = ['--kind', 'webhook', '--url', 'http://127.0.0.1:9/'];
  const create = ['destination', 'create', '--workspace', workspaceId, ...url];
  const { destinationId } = await resultOf<{ destinationId: string }>(create);
  const leadIds = Array.from({ length: 30 }, () => randomUUID());
  const messages: Item[] = leadIds.map((leadId) => ({ sk: `${leadId}#lead.accepted`, leadId }));
  for (const item of [{ sk: '#health', failures: 1 }, ...messages]) {
    const Item = { destinationId, workspaceId, status: 'delivered', ...item };
    await client.send(new PutCommand({ TableName: tables.messages, Item }));
  }
  return destinationId;
}

const destinationItem = async (destinationId: string) =>
  (await everyItemOf(tables.destinations)).find((item) => item.destinationId === destinationId);

/** A workspace with a bit of everything: two forms, one of them archived, and leads that were enriched or not. */
async function fullWorkspace(leadCount: number) {
  const tenant = await stack.newTenant();
  const { workspaceId, formId } = tenant;
  const old = await administration.createForm({ workspaceId, name: 'Old' });
  await administration.setSecret({ formId: old.formId });
  const leads = await stack.putLeads(
    tenant,
    Array.from({ length: leadCount }, (_, index) => ({
      leadId: randomUUID(),
      formId: index % 2 ? formId : old.formId,
      receivedAt: '2026-01-01T00:00:00.000Z',
      clean: index % 3 === 0,
    })),
  );
  const put = (TableName: string, Item: Item) => client.send(new PutCommand({ TableName, Item }));
  const enriched = leads.filter(({ clean }) => clean);
  // Enriched, and then called spam.
  const { leadId, score } = leads[1] as Lead;
  const note = { leadId, workspaceId, formId, score, clean: false, verdict: 'spam', at: 'now' } as const;
  await Promise.all([
    ...enriched.map(({ leadId }) => put(tables.leads, { leadId, part: 'enrichment', state: 'enriched' })),
    ...Array.from({ length: 60 }, (_, index) =>
      put(tables.diagnostics, { workspaceId, sk: `event#${index}` }),
    ),
    ...[tables.rejections, tables.unauthenticatedRejections].map((table) =>
      // Without what the recorder needs to count it.
      put(table, { requestId: randomUUID(), sk: `${workspaceId}#1` }),
    ),
    put(tables.leads, { leadId, part: 'enrichment', state: 'enriched' }),
    put(tables.leads, toReviewItem({ ...note, madeClean: false })),
    put(tables.workspaces, { ...sendersKey(workspaceId), senders: { 'acme.com': {}, 'acme.de': {} } }),
    put(tables.workspaces, { ...learnedKey(workspaceId), learned: { words: { quote: 8 } } }),
    put(tables.stats, { workspaceId, sk: 'hour#2026-01-01T00Z#form', accepted: 1 }),
    put(tables.stats, { ...activeMarkKey(workspaceId), markedAt: 1 }),
    // Of a lead that is gone: nothing else than offboarding removes these.
    put(tables.leadIndex, { bucket: formerListBucket(workspaceId), leadId: 'gone', buckets: ['ada', 'lov'] }),
    ...['ada', 'lov'].map((letters) =>
      put(tables.leadIndex, { bucket: `${workspaceId}#${letters}`, leadId: 'gone' }),
    ),
    ...indexedLeads(workspaceId).map((item) => put(tables.leadIndex, item)),
    ...['u_1', 'u_2', '#invitations#2026-01-01'].map((memberId) =>
      put(tables.members, { workspaceId, memberId }),
    ),
    ...['key_1', 'key_2'].map((keyId) => put(tables.apiKeys, { keyHash: randomUUID(), workspaceId, keyId })),
    ...['1', '2', '3'].map((activityId) => put(tables.activity, { workspaceId, activityId })),
    ...['alert#1', 'baseline#', 'settings', 'state#silence#form'].map((sk) =>
      put(tables.alerts, { workspaceId, sk }),
    ),
  ]);
  await administration.archiveForm(old.formId);
  const destinationId = await newDestination(workspaceId);
  return { ...tenant, destinationId, leadIds: leads.map(({ leadId }) => leadId) };
}

const onStack = (...args: string[]) => startLeadctl(['--outputs', testOutputsFile(), ...args]);

const untilTokensAreGone = (workspaceId: string) =>
  waitFor(async () => (await everyItemOf(tables.tokens)).every((item) => item.workspaceId !== workspaceId));

test.concurrent('leaves nothing in any table, even if it was killed and interrupted', async () => {
  const [{ workspaceId, destinationId, leadIds }, other] = await Promise.all([
    fullWorkspace(130),
    stack.newTenant(),
  ]);
  const others = await newDestination(other.workspaceId);
  const leftOfOthers = await leftOf(other.workspaceId, others);
  const offboard = ['workspace', 'offboard', workspaceId, '--yes'];

  const killed = onStack(...offboard);
  await untilTokensAreGone(workspaceId);
  killed.child.kill('SIGKILL');
  await killed.run;
  expect(await stack.workspaceItem(workspaceId)).toMatchObject({ status: 'suspended' });
  expect(await destinationItem(destinationId)).toMatchObject({ status: 'paused' });

  // Something new, which shows how far the second run has come.
  const [form] = await resultOf<{ formId: string }[]>(['form', 'list', '--workspace', workspaceId]);
  await administration.createToken({ formId: form?.formId as string });
  const interrupted = onStack(...offboard);
  await untilTokensAreGone(workspaceId);
  interrupted.child.kill('SIGINT');
  const { exitCode, stderr, stdout } = await interrupted.run;
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
  expect(stderr).toMatch(
    /^leadctl: Interrupted after 1 server token, .*\. Run the command again to continue\.\n$/,
  );

  await endSettling(stack, workspaceId);
  const { removed } = await resultOf<{ removed: Record<string, number> }>(offboard, {
    forgottenAfterMilliseconds: 0,
  });
  // These go last. How much else is left depends on how far the first two runs came.
  expect(removed).toMatchObject({ forms: 2, destinations: 1 });
  expect(await leftOf(workspaceId, destinationId, ...leadIds)).toEqual([]);
  // Nobody else's.
  expect(await leftOf(other.workspaceId, others)).toHaveLength(leftOfOthers.length);

  const again = await onTestStack(offboard);
  expect(again).toMatchObject({ exitCode: 1, stdout: '' });
  expect(again.stderr).toContain(`Workspace ${workspaceId} not found, and none of its data is left.`);
});

test.concurrent('deletes everything in one run, counts it, and says what it cannot delete', async () => {
  const { workspaceId, destinationId, leadIds } = await fullWorkspace(7);
  await resultOf(['destination', 'pause', destinationId, '--workspace', workspaceId]);
  await endSettling(stack, workspaceId);
  const offboard = ['workspace', 'offboard', workspaceId, '--yes'];
  const run = await onTestStack(offboard, { forgottenAfterMilliseconds: 0 });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toMatch(
    `Deleted workspace ${workspaceId}: 1 server token, 2 forms, 2 webhook secrets, 7 leads, 62 diagnostics records, `,
  );
  // The indexer may have added those of the other leads.
  expect(run.stdout).toMatch(/ statistics records, 4 alert records, ([89]|\d\d) search entries, /);
  expect(run.stdout).toContain('3 member records, 2 API keys, 3 activity records');
  expect(run.stdout).toContain(', 2 senders, 1 learned record');
  expect(run.stdout).toContain('idempotency records');
  expect(await leftOf(workspaceId, destinationId, ...leadIds)).toEqual([]);
});
