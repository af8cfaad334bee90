import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeLeadId } from '../../lambdas/model/lead-item.ts';
import { until } from '../until.ts';
import { onTestStack, openTestStack, resultOf } from './run-leadctl.ts';

const EMAIL = 'zoe@acme-tools.de';
const stack = openTestStack();
const folder = mkdtempSync(join(tmpdir(), 'leadctl-person-'));
afterAll(() => {
  stack.close();
  rmSync(folder, { recursive: true });
});

let workspaceId: string;
let formId: string;
/** Newest first: two of the person, and one of somebody else. */
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
      body: JSON.stringify({ email: emails[index] }),
      score: 10,
      grade: 'D',
      clean: false,
      signals: [],
    })),
  );
});

const person = (...args: string[]) => ['person', ...args, '--workspace', workspaceId];

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
});

test('erases it after a confirmation, and lists what was erased without the address', async () => {
  const asked = await onTestStack(person('erase', '--email', EMAIL));
  expect(asked).toMatchObject({ exitCode: 2, stdout: '' });
  expect(asked.stderr).toContain('Add --yes to erase all leads with this email address');
  expect(asked.stderr).not.toContain('zoe');

  const { exitCode, stdout, stderr } = await onTestStack(person('erase', '--email', EMAIL, '--yes'));
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toContain(second);
  expect(stdout).toContain(first);
  expect(stdout).not.toContain(other);
  expect(stdout).toContain('Erased 2 leads. No other lead with this address is left.');
  expect(stdout.toLowerCase()).not.toContain('zoe');
  expect(await resultOf(person('erase', '--email', EMAIL, '--yes'))).toEqual({ erased: [], complete: true });
  expect((await onTestStack(['leads', 'show', first as string])).exitCode).toBe(1);
  expect((await onTestStack(['leads', 'show', other as string])).exitCode).toBe(0);
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
