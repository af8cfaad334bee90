import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { OpenStack } from '../../bin/operator/open-stack.ts';
import { makeApiKeys } from '../../lambdas/access/api-keys-store.ts';
import { toEntries } from '../../lambdas/leads/search/index-entry.ts';
import { contactOfLead } from '../../lambdas/leads/search/lead-contact.ts';
import { makeLeadIndex } from '../../lambdas/leads/search/lead-index-store.ts';
import { fromPerhapsDamagedItem } from '../../lambdas/model/lead-item.ts';
import { makeActivityLog } from '../../lambdas/owner-api/activity-store.ts';
import { messageId } from '../../lambdas/sending/message.ts';
import { activeMarkKey } from '../../lambdas/stats/active-workspaces-store.ts';
import { letDie } from './own-engines.ts';
import { runLeadctl } from './run-leadctl.ts';

/** Which of the two policies has to be enough for a command. */
export type Access = 'read' | 'full';

interface Options {
  readonly outputsFile: string;
  /** The same stack, for what a test needs in addition. */
  readonly stack: OpenStack;
  /** For files of this run. */
  readonly folder: string;
  /** After each command. */
  readonly onDone: (command: readonly string[], access: Access) => void;
}

interface Sent {
  readonly rejectedRequestIds: readonly string[];
}

/**
 * Runs every command of leadctl, from creating a workspace to removing it. Each has something to work on, so
 * that no call is left out for lack of data.
 */
export async function runEveryCommand({ outputsFile, stack, folder, onDone }: Options): Promise<void> {
  async function run<Result>(access: Access, args: readonly string[], stdin = ''): Promise<Result> {
    const given = ['--outputs', outputsFile, '--json', ...args];
    const { exitCode, stdout, stderr } = await runLeadctl(given, { stdin, forgottenAfterMilliseconds: 0 });
    // A rejection is a response too: there is something to look at in Diagnostics.
    if (stderr !== '' || exitCode === 2)
      throw new Error(`${args.join(' ')} ended with ${exitCode}: ${stderr}`);
    onDone(args, access);
    return JSON.parse(stdout.split('\n')[0] || 'null') as Result;
  }
  const read = <Result>(args: readonly string[], stdin?: string) => run<Result>('read', args, stdin);
  const full = <Result>(args: readonly string[], stdin?: string) => run<Result>('full', args, stdin);

  const { workspaceId } = await full<{ workspaceId: string }>(['workspace', 'create', '--name', 'Policies']);
  const ofWorkspace = ['--workspace', workspaceId];
  const createForm = ['form', 'create', ...ofWorkspace, '--name', 'Contact us'];
  const form = await full<{ formId: string; slug: string }>(createForm);
  const ofForm = ['--form', form.formId];
  await full(['secret', 'set', ...ofForm]);
  const { secret } = await full<{ secret: string }>(['secret', 'rotate', ...ofForm, '--yes']);
  const made = await full<{ token: string; tokenId: string }>(['token', 'create', ...ofForm]);
  const email = `policies-${workspaceId.slice(-8).toLowerCase()}@example.com`;
  await full(['owner', 'invite', ...ofWorkspace, '--email', email, '--show-password']);

  await read(['doctor', '--no-round-trip']);
  await full(['doctor']);
  await read(['workspace', 'list']);
  await read(['form', 'list', ...ofWorkspace]);
  await read(['token', 'list', ...ofWorkspace]);
  await read(['owner', 'list', ...ofWorkspace]);
  await read(['member', 'list', ...ofWorkspace]);
  const keyId = await apiKey();
  await read(['api-key', 'list', ...ofWorkspace]);
  await full(['api-key', 'revoke', keyId, ...ofWorkspace, '--yes']);
  const twice = ['--count', '2', '--key-each'];
  await read(['send', '--surface', '1a', ...ofForm, '--token-stdin', ...twice], made.token);
  await read(['send', '--surface', '1b', '--slug', form.slug, '--secret-stdin'], secret);
  await full(['send', '--surface', '1b', ...ofForm, '--use-form-secret']);
  const [notClean, notJson] = [join(folder, 'note.json'), join(folder, 'rejected.json')];
  writeFileSync(notClean, '{"note":"nobody to write to"}');
  writeFileSync(notJson, '[');
  await read(['send', '--surface', '1a', '--token-stdin', '--file', notClean], made.token);
  // Once as an authenticated sender, and once not: the records of both are looked up, and deleted in the end.
  const sent = await read<Sent>(['send', '--surface', '1a', '--token-stdin', '--file', notJson], made.token);
  await read(['send', '--surface', '1b', '--slug', form.slug, '--secret-stdin'], `${secret}x`);
  await full(['explain', ...ofForm, '--timestamp', '1', '--signature', 'none', '--body-file', notClean]);

  const { leads } = await read<{ leads: { submissionId: string }[] }>(['leads', 'list', ...ofForm]);
  await read(['leads', 'list', ...ofWorkspace]);
  // The oldest, which is clean: the newest is not, and must exist when the workspace is removed.
  const first = leads.at(-1)?.submissionId ?? '';
  await read(['leads', 'show', first]);
  await read(['leads', 'export', ...ofForm, '--format', 'csv', '--out', join(folder, 'leads.csv')]);
  await read(['diagnostics', ...ofWorkspace]);
  await read(['diagnostics', '--unattributed']);
  await read(['diagnostics', '--request', sent.rejectedRequestIds[0] ?? '']);
  await read(['diagnostics', ...ofWorkspace, '--request', sent.rejectedRequestIds[0] ?? '']);
  await full(['leads', 'requeue', '--pending', '--since', '1h']);
  await full(['leads', 'reindex', ...ofWorkspace, '--yes']);

  await alerts();
  const destination = await destinations();
  const backup = join(folder, 'backup');
  await full(['backup', '--to', backup]);
  await deadLetters();
  await full(['leads', 'erase', first, '--yes']);
  await person(leads.at(-2)?.submissionId ?? '');
  await full(['form', 'keep', form.formId, '--days', '90']);
  await full(['form', 'browser', form.formId, '--enable', '--origins', 'https://shop.example.com']);
  await full(['form', 'provider', form.formId, 'tally', '--generate-secret']);
  await full(['form', 'provider', form.formId, '--none']);
  await full(['form', 'deactivate', form.formId]);
  await full(['form', 'activate', form.formId]);
  await full(['token', 'revoke', made.tokenId, '--yes']);
  await full(['workspace', 'suspend', workspaceId, '--yes']);
  await full(['workspace', 'resume', workspaceId]);
  await full(['owner', 'reset-password', '--email', email, '--yes']);
  await full(['owner', 'remove', '--email', email, '--revoke-api-keys', '--yes']);
  await full(['owner', 'invite', ...ofWorkspace, '--email', email, '--show-password']);
  await full(['workspace', 'offboard', workspaceId, '--yes']);
  keepOnly(backup, workspaceId, [...leads.map(({ submissionId }) => submissionId), destination]);
  await full(['restore', '--from', backup, '--yes']);
  await restoreFromTable();
  await full(['workspace', 'offboard', workspaceId, '--yes']);

  /** Owners make keys, and their changes are logged. Operators only look at both. */
  async function apiKey(): Promise<string> {
    const context = { ...stack, now: Date.now, randomBytes };
    const actor = { kind: 'user', id: 'u', name: email } as const;
    const change = { actor, action: 'POST /settings/api-keys', targets: {} };
    await makeActivityLog(context).record(workspaceId, change, AbortSignal.timeout(10_000));
    const key = { name: 'Zapier', scopes: ['leads:read'], createdBy: email, createdById: 'mem_1' } as const;
    return (await makeApiKeys(context)(workspaceId).create(key)).record.keyId;
  }

  /** Nobody watches this stack, so an alert and the mark of an active workspace are put into the tables. */
  async function alerts() {
    const { client, tables } = stack;
    const at = '2026-01-01T00:00:00.000Z';
    const alert = {
      alertId: first,
      kind: 'silence',
      subject: form.formId,
      since: at,
      openedAt: at,
      facts: {},
    };
    const items = [
      { workspaceId, sk: `alert#${first}`, ...alert, opened: { title: 'Silence', lines: [] }, v: 1 },
      { workspaceId, sk: `state#silence#${form.formId}`, ...alert, v: 1 },
    ];
    for (const Item of items) await client.send(new PutCommand({ TableName: tables.alerts, Item }));
    const Item = { ...activeMarkKey(workspaceId), markedAt: Date.now(), v: 1 };
    await client.send(new PutCommand({ TableName: tables.stats, Item }));
    await read(['alert', 'list', ...ofWorkspace]);
    await read(['alert', 'list', ...ofWorkspace, '--open']);
  }

  /** Nothing indexes the leads of this stack, so one is written to the index here. */
  async function person(leadId: string) {
    const { client, tables } = stack;
    const ofPerson = [...ofWorkspace, '--email', 'person@example.com'];
    const signal = AbortSignal.timeout(10_000);
    const { Item = {} } = await client.send(
      new GetCommand({ TableName: tables.leads, Key: { leadId, part: 'lead' } }),
    );
    const indexed = { lead: fromPerhapsDamagedItem(Item), enrichmentFailed: false, test: false };
    const entries = toEntries(indexed, contactOfLead({ email: 'person@example.com' }));
    await makeLeadIndex({ ...stack, now: Date.now }).write({ workspaceId, leadId }, entries, signal);
    await read(['person', 'export', ...ofPerson, '--out', join(folder, 'person.ndjson')]);
    await full(['person', 'erase', ...ofPerson, '--yes']);
  }

  async function restoreFromTable() {
    const { client, tables } = stack;
    const TableName = `${tables.leads}-restored`;
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'leadId', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'leadId', KeyType: 'HASH' }],
      }),
    );
    await full(['restore', '--table', 'leads', '--from-table', TableName, '--yes']);
    await client.send(new DeleteTableCommand({ TableName }));
  }

  async function deadLetters() {
    const { queueClient, outputs } = stack;
    const MessageBody = JSON.stringify({ leadId: first });
    await queueClient.send(new SendMessageCommand({ QueueUrl: outputs.deadLetterQueueUrl, MessageBody }));
    await read(['dlq', 'list']);
    await full(['dlq', 'redrive', '--yes']);
    for (const url of [outputs.sendingQueueUrl, outputs.indexQueueUrl])
      await letDie(queueClient, url, MessageBody);
    await read(['dlq', 'list', '--queue', 'sending']);
    await full(['dlq', 'redrive', '--queue', 'sending', '--yes']);
  }

  /** Nothing consumes the queue, so the replayed message is written to the table. */
  async function destinations() {
    const url = ['--kind', 'webhook', '--url', 'http://127.0.0.1:9/'];
    const only = ['--form', form.formId];
    const create = ['destination', 'create', ...ofWorkspace, ...url, ...only];
    const made = await full<{ destinationId: string }>(create);
    const gone = await full<{ destinationId: string }>(create);
    const of = (command: string, ...options: string[]) =>
      ['destination', command, made.destinationId, ...ofWorkspace].concat(options);
    const address = ['--email', 'policies@example.com'];
    const mail = await full<{ destinationId: string }>([
      'destination',
      'create',
      ...ofWorkspace,
      '--kind',
      'email',
      ...address,
      '--event',
      'lead.erased',
    ]);
    await full(['destination', 'confirm', mail.destinationId, ...ofWorkspace]);
    await full(['mail', 'allow', ...ofWorkspace, ...address]);
    const link = { recipientKey: `link#${workspaceId}`, workspaceId, purpose: 'stop' };
    await stack.client.send(new PutCommand({ TableName: stack.tables.recipients, Item: link }));
    await read(['destination', 'list', ...ofWorkspace]);
    await read(of('show'));
    await full(of('rotate'));
    await full(of('test'));
    await full(of('pause'));
    await full(of('resume'));
    await full(['destination', 'delete', gone.destinationId, ...ofWorkspace, '--yes']);
    const key = { destinationId: made.destinationId, leadId: first, type: 'lead.accepted' as const };
    const Item = { ...key, sk: `${first}#lead.accepted`, workspaceId, status: 'failed', attempts: [] };
    await stack.client.send(
      new PutCommand({ TableName: stack.tables.messages, Item: { ...Item, createdAt: '2026-01-01' } }),
    );
    await read(['message', 'list', ...ofWorkspace, '--destination', made.destinationId]);
    await read(['message', 'list', ...ofWorkspace, '--submission', first]);
    await full(['message', 'replay', messageId(key), ...ofWorkspace]);
    const since = ['--destination', made.destinationId, '--since', '1h'];
    await full(['message', 'replay', ...ofWorkspace, ...since]);
    return made.destinationId;
  }
}

/** Other tests use the same tables: what they have removed must not be restored. */
function keepOnly(backup: string, workspaceId: string, ids: readonly string[]): void {
  const file = join(backup, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { items: Record<string, number> };
  for (const tableKey of Object.keys(manifest.items)) {
    const lines = readFileSync(join(backup, `${tableKey}.ndjson`), 'utf8')
      .split('\n')
      .filter((line) => [workspaceId, ...ids].some((id) => line.includes(id)))
      // Offboarding leaves the records of keys. Another key is missing for certain.
      .map((line, index) => line.replace(/("keyHash":\{"S":")[^"]*/, `$1${workspaceId}-${index}`));
    writeFileSync(join(backup, `${tableKey}.ndjson`), lines.map((line) => `${line}\n`).join(''));
    manifest.items[tableKey] = lines.length;
  }
  writeFileSync(file, JSON.stringify(manifest));
}
