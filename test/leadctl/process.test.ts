import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { onTestStack, startLeadctl, testOutputsFile } from './run-leadctl.ts';
import { openTestStack } from './test-stack.ts';

const stack = openTestStack();
afterAll(stack.close);

const environment = { LEADCTL_OUTPUTS: testOutputsFile() };

test('the program uses its own standard input, output and environment, and exits 0', async () => {
  const { formId, slug, workspaceId } = await stack.newForm();
  const stdin = 'my own secret, ünïcode\n';
  const args = ['secret', 'set', '--form', formId, '--stdin', '--json'];
  const run = await startLeadctl(args, { stdin, environment }).run;
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(run.stdout)).toEqual({ formId, slug, workspaceId });
  expect(await stack.secretItem(slug, formId)).toMatchObject({ secret: 'my own secret, ünïcode' });
});

test('the program exits with the status of a failure, which it prints to standard error', async () => {
  const run = await startLeadctl(['workspace', 'create']).run;
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/^leadctl: Required option '--name <name>' not specified\. [^\n]+\n$/);
});

test.each(['help', 'leads export'])('%s ends quietly when its reader has gone', async (command) => {
  const { formId, workspaceId } = await stack.newForm();
  const score = { score: 1, grade: 'D' as const, clean: false, signals: [] };
  const lead = { leadId: randomUUID(), workspaceId, formId, surface: '1a' as const, body: '{}', ...score };
  await stack.putLeads([{ ...lead, receivedAt: '2026-01-01T00:00:00.000Z' }]);
  const args = command === 'help' ? [] : ['leads', 'export', '--form', formId, '--format', 'ndjson'];
  const { child, run } = startLeadctl(args, { environment });
  child.stdout.destroy();
  expect(await run).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

test('a command that can be interrupted leaves no listener behind', async () => {
  const { formId } = await stack.newForm();
  const listeners = () => ['SIGINT', 'SIGTERM'].map((name) => process.listenerCount(name));
  const before = listeners();
  await onTestStack(['leads', 'export', '--form', formId, '--format', 'csv']);
  expect(listeners()).toEqual(before);
});
