import { randomBytes, randomUUID } from 'node:crypto';
import { DeleteCommand, GetCommand, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { makeEnrichments } from '#enrichment/enrichments-store.ts';
import { indexStores, makeIndexLeads } from '#leads/search/index-leads/handler.ts';
import { toErasedItem } from '#model/lead-events.ts';
import { makeLeadId } from '#model/lead-item.ts';
import { makeOffboarding, REMOVED_KINDS, type Removed } from '#operator/offboarding-store.ts';
import { makeRestorer } from '#operator/restore-store.ts';
import { makeRecorder, recorderStores } from '#rejections/recorder/handler.ts';
import { rejectionRecord } from '#rejections/rejection-record.ts';
import { makeStats, statsStores } from '#stats/handler.ts';
import { makeAdministration } from '#workspaces/administration.ts';
import { localStack } from '../../local-stack.ts';
import { insertOf, newShard, newWorkspace } from '../stats/stream-records.ts';

const { tables, newClient } = localStack();
const client = toDocumentClient(newClient());
const context = { client, tables };
const surroundings = { log: { write: () => undefined }, now: Date.now };
const signal = AbortSignal.timeout(300_000);

/** Everything in any table that names the workspace or the lead: indexes are not trusted. */
async function tracesOf(...ids: readonly string[]) {
  const found: { table: string; item: unknown }[] = [];
  for (const [table, TableName] of Object.entries(tables)) {
    for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
      const items = Items.filter((item) => ids.some((id) => JSON.stringify(item).includes(id)));
      found.push(...items.map((item) => ({ table, item })));
    }
  }
  return found;
}

async function offboard(workspaceId: string) {
  let isBegun = false;
  // Time passes at once, so that nothing has to settle.
  function now(): number {
    const moment = Date.now() + (isBegun ? 120_000 : 0);
    isBegun = true;
    return moment;
  }
  const removed = Object.fromEntries(REMOVED_KINDS.map((kind) => [kind, 0])) as Removed;
  const offboarding = makeOffboarding({ ...context, now, owners: undefined, forgottenAfterMilliseconds: 0 });
  return offboarding.run(workspaceId, { removed, onStep: () => undefined }, signal);
}

test('what streams and queues bring after an offboarding leaves nothing', async () => {
  const workspaceId = await newWorkspace(context);
  const leadId = makeLeadId(Date.now(), randomBytes(10));
  const lead = { leadId, workspaceId, formId: 'form_1' };
  const counting = makeStats({ ...statsStores(context), ...surroundings });
  const recording = makeRecorder({ ...recorderStores(context), ...surroundings });
  const index = makeIndexLeads({ ...indexStores({ ...context, now: Date.now }), ...surroundings });
  const rejection = rejectionRecord(
    {
      atMilliseconds: Date.now(),
      requestId: randomUUID(),
      surface: '1a',
      reason: 'body_not_object',
      detail: {},
      bodyBytes: 2,
    },
    { workspaceIds: [workspaceId], authenticated: true },
    'x',
  );
  const NewImage = Object.fromEntries(
    Object.entries(marshall(rejection)).map(([name, value]) => [name, { ...value }]),
  );
  const deliver = async () => {
    await counting(newShard()([insertOf(lead)]));
    await recording(newShard()([{ dynamodb: { SequenceNumber: '1', NewImage } }]));
    for (const type of ['lead.accepted', 'lead.erased', 'lead.reindexed']) {
      const body = JSON.stringify({ type, workspaceId, leadId });
      const result = await index({ Records: [{ body, messageId: '1' }] } as SQSEvent);
      expect(result).toEqual({ batchItemFailures: [] });
    }
  };
  await deliver();
  // An erased lead whose enrichment was written by a function that died.
  const put = (Item: Record<string, unknown>) =>
    client.send(new PutCommand({ TableName: tables.leads, Item }));
  await put(toErasedItem(lead, Date.now()));
  const owner = { workspace: workspaceId, form: 'form_1' };
  const at = new Date().toISOString();
  await put({ leadId, part: 'enrichment', ...owner, state: 'failed', enrichedAt: at, v: 1 });
  const found = await tracesOf(workspaceId);
  const inTables = found.map(({ table }) => table);
  expect(new Set(inTables)).toEqual(new Set(['workspaces', 'stats', 'diagnostics', 'leadIndex', 'leads']));

  expect(await offboard(workspaceId)).toBe('gone');
  expect(await tracesOf(workspaceId, leadId)).toEqual([]);
  await deliver();
  const late = { leadId, enrichedAt: at, attempts: 1, state: 'enriched', facts: {} } as const;
  const written = await makeEnrichments(context).write(late, { ...lead, score: 1, clean: true }, signal);
  expect(written).toBe('gone');
  expect(await tracesOf(workspaceId, leadId)).toEqual([]);
});

test("secrets of a form's provider can be restored, and nothing of them is left after an offboarding", async () => {
  const administration = makeAdministration({ ...context, now: Date.now, randomBytes });
  const { workspaceId } = await administration.createWorkspace({ name: 'With a provider' });
  const { formId, slug } = await administration.createForm({ workspaceId, name: 'Contact' });
  await administration.setFormProvider(formId, { name: 'tally' });
  const [previous, current] = [randomUUID(), randomUUID()];
  await administration.setProviderSecret({ formId, secret: previous });
  await administration.setProviderSecret({ formId, secret: current, graceMilliseconds: 60_000 });

  const TableName = tables.formSecrets;
  const Key = { slug, formId };
  const { Item = {} } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  expect(Item).toMatchObject({ providerSecret: current, previousProviderSecret: previous, v: 1 });
  await client.send(new DeleteCommand({ TableName, Key }));
  const tally = { restored: 0, present: 0, expired: 0 };
  await makeRestorer({ ...context, now: Date.now }).put('formSecrets', [Item], Date.now(), tally, signal);
  expect((await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item).toEqual(Item);

  expect(await offboard(workspaceId)).toBe('gone');
  expect(await tracesOf(workspaceId, formId, current, previous)).toEqual([]);
});
