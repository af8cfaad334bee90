import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { beforeAll, expect, test } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { makeLeadId } from '../../lambdas/model/lead-item.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { letDie, makeOwnQueues, outputsWith } from './own-engines.ts';
import { onTestStack, openTestStack, resultOf, runLeadctl } from './run-leadctl.ts';

const stack = openTestStack();
const folder = temporaryFolder('leadctl-person');

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
    { workspaceId, formId },
    ids.map((leadId, index) => ({
      leadId,
      receivedAt: new Date(at).toISOString(),
      body: JSON.stringify({ email: emails[index], ...(index === 2 && { message: `Ask ${EMAIL}` }) }),
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

test('erases it, and lists what was erased without the address', async () => {
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
