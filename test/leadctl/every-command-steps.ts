import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { CreateTableCommand, DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { makeApiKeys } from '../../lambdas/access/api-keys-store.ts';
import { toEntries } from '../../lambdas/leads/search/index-entry.ts';
import { contactOfLead } from '../../lambdas/leads/search/lead-contact.ts';
import { makeLeadIndex } from '../../lambdas/leads/search/lead-index-store.ts';
import { fromPerhapsDamagedItem, makeLeadId } from '../../lambdas/model/lead-item.ts';
import { makeActivityLog } from '../../lambdas/owner-api/activity-store.ts';
import { messageId } from '../../lambdas/sending/message.ts';
import { activeMarkKey } from '../../lambdas/stats/active-workspaces-store.ts';
import { makeStoredAlerts } from '../lambdas/alerts/stored-alerts.ts';
import { itemsOf } from '../stored-items.ts';
import { until, waitFor } from '../until.ts';
import type { Step } from './command-table.ts';
import { letDie } from './own-engines.ts';
import { endSettling } from './run-leadctl.ts';

export const archiveOther: Step = async ({ otherForm = '' }, { administration }) => {
  await administration.archiveForm(otherForm);
};

/** Owners make keys, and their changes are logged. Operators only look at both. */
export const makeApiKey: Step = async (values, stack) => {
  const { workspaceId = '', email = '' } = values;
  const context = { ...stack, now: Date.now, randomBytes };
  const actor = { kind: 'user', id: 'u', name: email } as const;
  const change = { actor, action: 'POST /settings/api-keys', targets: {} };
  await makeActivityLog(context).record(workspaceId, change, AbortSignal.timeout(10_000));
  const key = { name: 'Zapier', scopes: ['leads:read'], createdBy: email, createdById: 'mem_1' } as const;
  const apiKeys = makeApiKeys(context)(workspaceId);
  const { keyId } = (await apiKeys.create(key)).record;
  await until(apiKeys.list, (keys) => keys.length > 0);
  values.keyId = keyId;
};

export const writeFiles: Step = async ({ folder }) => {
  writeFileSync(`${folder}/note.json`, '{"note":"nobody to write to"}');
  writeFileSync(`${folder}/rejected.json`, '[');
};

/** The recorder of the stack has got to it. */
export const awaitRejection: Step = async ({ workspaceId = '', requestId }, { client, tables }) => {
  await waitFor(async () => {
    const items = await itemsOf(client, tables.diagnostics, { workspaceId });
    return items.some((item) => item.requestId === requestId);
  });
};

/** Nobody watches this stack, so alerts and the mark of an active workspace are put into the tables. */
export const putAlerts: Step = async (values, stack) => {
  const { workspaceId = '', formId } = values;
  const alerts = makeStoredAlerts(stack);
  const facts = { formId, formName: 'Über uns', expectedLeads: 12 };
  const closed = await alerts.open(workspaceId, { at: Date.now() - 7_200_000, facts });
  await alerts.close(closed, Date.now() - 3_600_000);
  values.openAlert = (await alerts.open(workspaceId, { at: Date.now() - 60_000, facts })).alertId;
  const Item = { ...activeMarkKey(workspaceId), markedAt: Date.now(), v: 1 };
  await stack.client.send(new PutCommand({ TableName: stack.tables.stats, Item }));
};

/** Nothing consumes the queue, so messages are written to the table: of the newest lead first. */
export const putMessages: Step = async (values, { client, tables }) => {
  const { destinationId = '', workspaceId, first = '', second = '' } = values;
  const at = '2026-01-01T00:00:00.000Z';
  const put = async (leadId: string, status: string) => {
    const key = { destinationId, leadId, type: 'lead.accepted' as const };
    const attempts = [{ at, milliseconds: 12, status: 503 }];
    const rest = { workspaceId, status, attempts, countedAttempts: 1, createdAt: at, revision: 1, v: 1 };
    const Item = { ...key, sk: `${leadId}#lead.accepted`, ...rest };
    await client.send(new PutCommand({ TableName: tables.messages, Item }));
    return messageId(key);
  };
  values.delivered = await put(first, 'delivered');
  values.failed = await put(second, 'failed');
};

export const putRecipient: Step = async ({ workspaceId }, { client, tables }) => {
  const Item = { recipientKey: `link#${workspaceId}`, workspaceId, purpose: 'stop' };
  await client.send(new PutCommand({ TableName: tables.recipients, Item }));
};

export const letLettersDie: Step = async ({ first }, { queueClient, outputs }) => {
  const MessageBody = JSON.stringify({ leadId: first });
  await queueClient.send(new SendMessageCommand({ QueueUrl: outputs.deadLetterQueueUrl, MessageBody }));
  for (const url of [outputs.sendingQueueUrl, outputs.indexQueueUrl]) {
    await letDie(queueClient, url, MessageBody);
  }
};

/** The lead belongs to a person. */
export const putIndexEntry: Step = async ({ workspaceId = '', second: leadId = '' }, stack) => {
  const { client, tables } = stack;
  const { Item = {} } = await client.send(
    new GetCommand({ TableName: tables.leads, Key: { leadId, part: 'lead' } }),
  );
  const indexed = { lead: fromPerhapsDamagedItem(Item), enrichmentFailed: false, test: false };
  const entries = toEntries(indexed, contactOfLead({ email: 'person@example.com' }));
  const signal = AbortSignal.timeout(10_000);
  await makeLeadIndex({ ...stack, now: Date.now }).write({ workspaceId, leadId }, entries, signal);
};

export const beginLongAgo: Step = ({ workspaceId = '' }, stack) => endSettling(stack, workspaceId);

/** Other tests use the same tables: what they have removed must not be restored. */
export const keepOnlyOwnBackup: Step = async ({ folder, workspaceId = '', ...values }) => {
  const { first, second, unclean, destinationId } = values;
  const own = [workspaceId, first, second, unclean, destinationId].map(String);
  const file = `${folder}/backup/manifest.json`;
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { items: Record<string, number> };
  for (const tableKey of Object.keys(manifest.items)) {
    const items = `${folder}/backup/${tableKey}.ndjson`;
    const lines = readFileSync(items, 'utf8')
      .split('\n')
      .filter((line) => own.some((id) => line.includes(id)))
      // Offboarding leaves the records of keys. Another key is missing for certain.
      .map((line, index) => line.replace(/("keyHash":\{"S":")[^"]*/, `$1${workspaceId}-${index}`));
    writeFileSync(items, lines.map((line) => `${line}\n`).join(''));
    manifest.items[tableKey] = lines.length;
  }
  writeFileSync(file, JSON.stringify(manifest));
};

/** With a lead that the stack has, and one that it lacks. */
export const makeRestoredTable: Step = async (values, { client, tables }) => {
  const TableName = `${tables.leads}-restored`;
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'leadId', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'leadId', KeyType: 'HASH' }],
    }),
  );
  values.restoredTable = TableName;
  const Key = { leadId: values.unclean, part: 'lead' };
  const { Item = {} } = await client.send(new GetCommand({ TableName: tables.leads, Key }));
  for (const leadId of [Item.leadId, makeLeadId(Date.now(), randomBytes(10))]) {
    await client.send(new PutCommand({ TableName, Item: { ...Item, leadId } }));
  }
};

export const removeRestoredTable: Step = async ({ restoredTable }, { client }) => {
  await client.send(new DeleteTableCommand({ TableName: restoredTable }));
};
