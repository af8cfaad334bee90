import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import { openStack } from '../../bin/operator/open-stack.ts';
import { learnedKey } from '../../lambdas/model/learned.ts';
import { signatureOf } from '../../lambdas/model/request-signature.ts';
import { killLeftovers, type Running, type Summary, startMain } from '../local/support/run-main.ts';
import { itemsOf } from '../stored-items.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { runLeadctl } from './run-leadctl.ts';

/** Every item of every table, by table. */
async function everything({ outputsFile }: Summary) {
  const { client, tables } = openStack(outputsFile);
  const found: { table: string; item: Record<string, unknown> }[] = [];
  for (const [table, TableName] of Object.entries(tables)) {
    for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
      found.push(...Items.map((item) => ({ table, item })));
    }
  }
  client.destroy();
  return found;
}

/** The leads in the workspace's list, by their ids. */
function listed(items: Awaited<ReturnType<typeof everything>>) {
  return items
    .filter(({ table, item }) => table === 'leadIndex' && `${item.bucket}`.startsWith('list#'))
    .map(({ item }) => item)
    .sort((one, other) => (`${one.leadId}` < `${other.leadId}` ? -1 : 1));
}

afterAll(killLeftovers);
const scratch = temporaryFolder('backup-test');

const BODY = '{"name":"Ada Byron","email":"ada@analytical-engines.co.uk","company":"Analytical Engines"}';

interface Credentials {
  readonly slug: string;
  readonly webhookSecret: string;
  readonly serverToken: string;
}

/** A cold function on a busy machine may pass its deadline once: with one key a retry makes no second lead. */
async function submit(url: string, headersOf: () => Record<string, string>, key: string): Promise<string> {
  const send = async () => {
    const headers = { ...headersOf(), 'content-type': 'application/json', 'x-svc-idempotency-key': key };
    const response = await fetch(url, { method: 'POST', headers, body: BODY });
    return { status: response.status, ...((await response.json()) as { submission_id: string }) };
  };
  const { status, submission_id } = await until(send, (response) => response.status === 202);
  expect(status).toBe(202);
  return submission_id;
}

const byToken = ({ ingestUrl }: Summary, { serverToken }: Credentials, key: string) =>
  submit(`${ingestUrl}/api/v1/ingest`, () => ({ authorization: `Bearer ${serverToken}` }), key);

const bySignature = ({ ingestUrl }: Summary, { slug, webhookSecret }: Credentials, key: string) =>
  submit(
    `${ingestUrl}/api/v1/ingest/${slug}`,
    () => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = signatureOf(webhookSecret, timestamp, Buffer.from(BODY)).toString('hex');
      return { 'x-svc-timestamp': timestamp, 'x-svc-signature': signature };
    },
    key,
  );

const leadctl = ({ outputsFile }: Summary, ...args: string[]) =>
  runLeadctl(['--outputs', outputsFile, ...args, '--json']);

async function resultOf(summary: Summary, ...args: string[]) {
  const run = await leadctl(summary, ...args);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  return JSON.parse(run.stdout);
}

/** How many leads of a workspace have been counted. */
async function counted({ outputsFile }: Summary, workspaceId: string): Promise<number> {
  const { client, tables } = openStack(outputsFile);
  const hours = await itemsOf(client, tables.stats, { workspaceId }, { sk: 'hour#' });
  client.destroy();
  return hours.reduce((sum, { accepted }) => sum + Number(accepted), 0);
}

const enriched = (summary: Summary, leadId: string) =>
  until(
    () => resultOf(summary, 'leads', 'show', leadId),
    ({ state }) => state === 'enriched' || state === 'failed',
  );

async function end({ child, ended }: Running): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

/** It is learned again, and in neither the backup nor the restored stack. */
async function putLearned({ outputsFile, demo: { workspaceId } }: Summary): Promise<void> {
  const { client, tables } = openStack(outputsFile);
  const Item = {
    ...learnedKey(workspaceId),
    learned: { words: {}, signals: {}, forms: {} },
    revision: 1,
    v: 1,
  };
  await client.send(new PutCommand({ TableName: tables.workspaces, Item }));
  client.destroy();
}

/** An alert that has not been announced yet, and what a restore makes of it. */
async function putOpenAlert({ outputsFile, demo: { workspaceId } }: Summary) {
  const { client, tables } = openStack(outputsFile);
  const at = '2026-01-01T00:00:00.000Z';
  const about = { alertId: randomUUID(), kind: 'silence', subject: 'form', facts: {} };
  const announced = { workspaceId, sk: 'state#silence#form', ...about, since: at, openedAt: at, v: 1 };
  const pending = { ...announced, pending: ['alert.opened'] };
  await client.send(new PutCommand({ TableName: tables.alerts, Item: pending }));
  client.destroy();
  return [pending, announced] as const;
}

test('a stack moves: restored from its backup, another one has every lead and setting, and continues where it was', async () => {
  const [old, renewed] = await Promise.all([startMain(['--ephemeral']), startMain(['--ephemeral'])]);
  const { demo } = old.summary;
  const first = await byToken(old.summary, demo, 'first');
  const second = await bySignature(old.summary, demo, 'second');
  const [firstLead, secondLead] = [await enriched(old.summary, first), await enriched(old.summary, second)];
  expect(
    await until(
      () => counted(old.summary, demo.workspaceId),
      (count) => count === 2,
    ),
  ).toBe(2);
  // Rejections of both kinds, and what the recorders make of them.
  const { ingestUrl } = old.summary;
  const authorization = `Bearer ${demo.serverToken}`;
  await fetch(`${ingestUrl}/api/v1/ingest`, { method: 'POST', headers: { authorization }, body: '{}' });
  const all = await until(
    async () => {
      await fetch(`${ingestUrl}/api/v1/ingest/${demo.slug}`, { method: 'POST', body: '{}' });
      return everything(old.summary);
    },
    (items) =>
      ['#a', '#u'].every((pool) =>
        items.some(({ item }) => /^event#/.test(`${item.sk}`) && `${item.sk}`.includes(pool)),
      ) && listed(items).length === 2,
  );

  // After the leads, so that nothing is sent to it.
  const { destinationId } = await resultOf(
    ...[old.summary, 'destination', 'create', '--workspace', demo.workspaceId],
    ...['--kind', 'webhook', '--url', 'http://127.0.0.1:9/'],
  );
  all.push(...(await everything(old.summary)).filter(({ item }) => item.destinationId === destinationId));

  await putLearned(old.summary);
  const [alert, announced] = await putOpenAlert(old.summary);
  all.push({ table: 'alerts', item: alert });

  // docs/schema-versions.md builds on this.
  expect(new Set(all.map(({ table }) => table)).size).toBe(14);
  const ofVersion2: Readonly<Record<string, RegExp>> = {
    diagnostics: /^(?:event|reused|rejected|limited)#/,
    stats: /^hour#/,
    leadIndex: /^/,
  };
  const versionOf = (table: string, sk: unknown) => (ofVersion2[table]?.test(String(sk)) ? 2 : 1);
  expect(all.filter(({ table, item }) => item.v !== versionOf(table, item.sk))).toEqual([]);

  const folder = join(scratch, 'moved');
  const { items } = await resultOf(old.summary, 'backup', '--to', folder);
  // Two enriched leads.
  expect(items).toMatchObject({
    workspaces: 1,
    forms: 1,
    formSecrets: 1,
    destinations: 1,
    destinationSecrets: 1,
    alerts: 1,
    tokens: 1,
    leads: 4,
    idempotency: 2,
  });
  // It is made again from the leads.
  expect(items).not.toHaveProperty('leadIndex');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  await end(old);

  const { restored } = await resultOf(renewed.summary, 'restore', '--from', folder, '--yes');
  expect(restored).toMatchObject({ leads: { restored: 4, present: 0 }, idempotency: { restored: 2 } });

  const secretOf = (items: Awaited<ReturnType<typeof everything>>) =>
    items.find(({ table }) => table === 'destinationSecrets')?.item;
  expect(secretOf(all)).toMatchObject({ destinationId, signingSecret: expect.stringMatching(/^whsec_/) });
  expect(secretOf(await everything(renewed.summary))).toEqual(secretOf(all));
  expect(
    await resultOf(
      ...[renewed.summary, 'destination', 'show', destinationId, '--workspace', demo.workspaceId],
    ),
  ).toMatchObject({ destinationId, status: 'active' });

  const alerts = (await everything(renewed.summary)).filter(({ table }) => table === 'alerts');
  expect(alerts).toEqual([{ table: 'alerts', item: announced }]);

  // The relay announces restored leads to the search index as new ones.
  const index = await until(
    async () => listed(await everything(renewed.summary)),
    (entries) => entries.length === 2,
  );
  expect(index).toEqual(listed(all));

  // Old keys return the old leads, by the old credentials.
  expect(await byToken(renewed.summary, demo, 'first')).toBe(first);
  expect(await bySignature(renewed.summary, demo, 'second')).toBe(second);
  const third = await bySignature(renewed.summary, demo, 'third');
  expect([first, second]).not.toContain(third);

  // By then the stream has delivered what was restored before it.
  await enriched(renewed.summary, third);
  await until(
    () => counted(renewed.summary, demo.workspaceId),
    (count) => count >= 3,
  );
  await sleep(1_000);
  expect(await counted(renewed.summary, demo.workspaceId)).toBe(3);
  expect(await resultOf(renewed.summary, 'leads', 'show', first)).toEqual(firstLead);
  expect(await resultOf(renewed.summary, 'leads', 'show', second)).toEqual(secondLead);

  const again = await resultOf(renewed.summary, 'restore', '--from', folder, '--yes');
  expect(again.restored).toMatchObject({ leads: { restored: 0, present: 4 }, workspaces: { restored: 0 } });
  await end(renewed);
}, 240_000);
