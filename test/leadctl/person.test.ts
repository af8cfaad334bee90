import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { makeLeadId } from '../../lambdas/model/lead-item.ts';
import { until } from '../until.ts';
import { letDie, makeOwnQueues, outputsWith } from './own-engines.ts';
import { onTestStack, openTestStack, resultOf, runLeadctl } from './run-leadctl.ts';

const stack = openTestStack();
const folder = mkdtempSync(join(tmpdir(), 'leadctl-person-'));
afterAll(() => {
  stack.close();
  rmSync(folder, { recursive: true });
});

const EMAIL = 'zoe@acme-tools.de';
let workspaceId: string;
let formId: string;
/** Newest first: two of the person, and one of somebody else who mentions them. */
let [second, first, other]: string[] = [];

beforeAll(async () => {
  ({ workspaceId, formId } = await stack.newForm());
  const at = Date.parse('2026-03-01T00:00:00Z');
  const ids = [2, 1, 0].map((minute) => makeLeadId(at + minute * 60_000, randomBytes(10)));
  [second, first, other] = ids;
  const emails = [EMAIL, ' Zoe@ACME-tools.de', `not-${EMAIL}`];
  await stack.putLeads(
    ids.map((leadId, index) => ({
      leadId,
      workspaceId,
      formId,
      receivedAt: new Date(at).toISOString(),
      surface: '1a',
      body: JSON.stringify({ email: emails[index], ...(index === 2 && { message: `Ask ${EMAIL}` }) }),
      score: 10,
      grade: 'D',
      clean: false,
      signals: [],
    })),
  );
});

const person = (...args: string[]) => ['person', ...args, '--workspace', workspaceId];

/** Queues that nobody else fills: the index of the test stack is busy. */
async function ownQueues() {
  const queues = await makeOwnQueues(stack.queueClient);
  const file = outputsWith(queues, folder);
  return {
    index: queues[OUTPUTS.queues.index] as string,
    erase: (...args: string[]) =>
      runLeadctl(['--outputs', file, ...person('erase', '--email', EMAIL, '--yes', ...args)]),
  };
}

test('exports everything with an address once it is indexed', async () => {
  const out = join(folder, 'zoe.ndjson');
  const exported = () =>
    resultOf<{ leads: number }>(person('export', '--email', EMAIL.toUpperCase(), '--out', out, '--yes'));
  const { leads } = await until(exported, (result) => result.leads === 2);
  expect(leads).toBe(2);
  const lines = readFileSync(out, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { submission_id: second, form_id: formId, body: { email: EMAIL }, messages: [] },
    { submission_id: first },
  ]);
  expect(lines.map((line) => line.match(/"form_id":/g)?.length)).toEqual([1, 1]);
});

test('erases it after a confirmation, and lists what was erased without the address', async () => {
  const asked = await onTestStack(person('erase', '--email', EMAIL));
  expect(asked).toMatchObject({ exitCode: 2, stdout: '' });
  expect(asked.stderr).toContain('Add --yes to erase all leads with this email address');
  expect(asked.stderr).not.toContain('zoe');

  const { erase } = await ownQueues();
  const erased = await erase();
  expect(erased).toMatchObject({ exitCode: 1, stderr: '' });
  for (const id of [second, first, other]) expect(erased.stdout).toContain(id);
  expect(erased.stdout).toContain('Erased 2 leads. Leads of other people mention this address.');
  expect(erased.stdout.toLowerCase()).not.toContain('zoe');
  expect((await onTestStack(['leads', 'show', first as string])).exitCode).toBe(1);

  const busy = await ownQueues();
  await stack.queueClient.send(new SendMessageCommand({ QueueUrl: busy.index, MessageBody: '{}' }));
  const waiting = await busy.erase('--mentioned', 'keep');
  expect(waiting.exitCode).toBe(1);
  expect(waiting.stdout).toContain('may not be in the index yet');

  const broken = await ownQueues();
  await letDie(stack.queueClient, broken.index, '{}');
  const failed = await broken.erase('--mentioned', 'keep');
  expect(failed.exitCode).toBe(1);
  expect(failed.stdout).toContain('Messages of the search index wait as dead letters.');

  const kept = await erase('--mentioned', 'keep', '--json');
  expect(kept.exitCode).toBe(0);
  expect(JSON.parse(kept.stdout)).toEqual({ erased: [], mentioned: [], complete: true });
  expect((await onTestStack(['leads', 'show', other as string])).exitCode).toBe(0);
  expect((await erase('--mentioned', 'erase')).stdout).toContain('Erased 1 lead.');
  expect((await onTestStack(['leads', 'show', other as string])).exitCode).toBe(1);
});

test.each([
  [['export', '--email', ' ', '--workspace', 'ws_x'], 2, 'The email address cannot be empty'],
  [['erase', '--email', EMAIL, '--workspace', 'ws_nobody', '--yes'], 1, 'Workspace ws_nobody not found'],
  [['erase', '--workspace', 'ws_x'], 2, '--email'],
])('refuses %j', async (args, exitCode, sentence) => {
  const run = await onTestStack(['person', ...args]);
  expect(run).toMatchObject({ exitCode, stdout: '' });
  expect(run.stderr).toContain(sentence);
});
