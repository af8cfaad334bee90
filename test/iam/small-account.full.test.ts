import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CLEAN } from '../../conformance/world/submission.ts';
import { IN_TURN_PARTITION, type TableKey } from '../../lambdas/contract.ts';
import { readRunningStack } from '../../local/fixture/running-stack.ts';
import { readCallLog } from '../../local/iam/call-log.ts';
import { CALL_LOG } from '../../local/iam/enforce-iam.ts';
import { killLeftovers, type Running, startMain } from '../local/support/run-main.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';

let stack: Running;

beforeAll(async () => {
  // Turns are then every ten seconds.
  stack = await startMain(['--data', data, '--small-account', '--enforce-iam', '--schedule-ahead', '1m']);
});

afterAll(async () => {
  stack?.child.kill('SIGTERM');
  await stack?.ended;
  killLeftovers();
});
// After the stack has ended, since hooks run in their order.
const data = temporaryFolder('small-account');

async function send(token: string, body: string): Promise<Response> {
  return fetch(`${stack.summary.ingestUrl}/api/v1/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
}

async function itemsOf(table: TableKey): Promise<string[]> {
  const { tables, newClient } = readRunningStack(stack.summary.outputsFile);
  const client = DynamoDBDocumentClient.from(newClient());
  const { Items = [] } = await client.send(new ScanCommand({ TableName: tables[table] }));
  client.destroy();
  return Items.map((item) => JSON.stringify(item));
}

test('in turn, leads are enriched, announced, listed and counted, and rejections recorded', async () => {
  const { serverToken, workspaceId } = stack.summary.demo;
  const accepted = await send(serverToken, CLEAN);
  expect(accepted.status).toBe(202);
  const { submission_id: leadId } = (await accepted.json()) as { submission_id: string };
  const refused = await send(`${serverToken.slice(0, -4)}AAAA`, CLEAN);
  expect(await refused.json()).toMatchObject({ status: 'rejected' });

  const isThere = async (table: TableKey, ...words: string[]) =>
    (await itemsOf(table)).some((item) => words.every((word) => item.includes(word)));
  const found = async () => ({
    enriched: await isThere('leads', leadId, '"part":"enrichment"'),
    listed: await isThere('leadIndex', leadId, `list#${workspaceId}`),
    counted: await isThere('stats', workspaceId, '"seq"'),
    recorded: (await itemsOf('diagnostics')).length > 0,
    announced: readFileSync(stack.summary.eventBusFile, 'utf8').includes(leadId),
    remembered: await isThere('stats', IN_TURN_PARTITION),
  });
  const missing = async () =>
    Object.entries(await found()).flatMap(([name, isFound]) => (isFound ? [] : [name]));
  expect(await until(missing, ({ length }) => length === 0)).toEqual([]);
});

test('with the permissions of the roles in the template', () => {
  const { calls } = readCallLog(join(data, 'logs', CALL_LOG));
  expect(calls.filter(({ allowed }) => !allowed)).toEqual([]);
  const invoking = calls.filter(({ action }) => action === 'lambda:InvokeFunction');
  expect(new Set(invoking.map(({ functionName }) => functionName)).size).toBe(1);
});
