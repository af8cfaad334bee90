import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { onTestStack } from './run-leadctl.ts';
import { openTestStack } from './test-stack.ts';

const stack = openTestStack();
afterAll(() => stack.close());

/** An escape sequence, C1's one-character form of it, and a text that shows in another order than it has. */
const HOSTILE = 'a\u001b]0;b\u0007 c\u009b31m \u202egnp.exe \u2066d\u2069 e\rf \u007f';
const leadId = '01956f00-0000-7000-8000-000000000001';

let formId: string;
beforeAll(async () => {
  const form = await stack.newForm();
  formId = form.formId;
  const receivedAt = '2026-03-01T00:00:00.000Z';
  const lead = { leadId, workspaceId: form.workspaceId, formId, receivedAt, surface: '1a' as const };
  const body = JSON.stringify({ text: HOSTILE, lines: 'one\r\ntwo\tthree' });
  await stack.putLeads([{ ...lead, body, score: 1, grade: 'D', clean: false, signals: [] }]);
});

const COMMANDS = [
  ['an export as CSV', () => ['leads', 'export', '--form', formId, '--format', 'csv']],
  ['an export as NDJSON', () => ['leads', 'export', '--form', formId, '--format', 'ndjson']],
  ['a lead', () => ['leads', 'show', leadId]],
  ['a lead as JSON', () => ['leads', 'show', leadId, '--json']],
] as const;

describe('on a terminal', () => {
  test.each(COMMANDS)('%s has no control character', async (_, args) => {
    const { exitCode, stdout } = await onTestStack(args(), { isTTY: true });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('gnp.exe');
    const lines = stdout.replaceAll('\r\n', '\n');
    expect(lines.match(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu)).toBeNull();
  });

  test('CSV has escapes in their place, and its lines and tabs', async () => {
    const { stdout } = await onTestStack(COMMANDS[0][1](), { isTTY: true });
    expect(stdout).toContain(
      'a\\u001b]0;b\\u0007 c\\u009b31m \\u202egnp.exe \\u2066d\\u2069 e\\u000df \\u007f',
    );
    expect(stdout).toContain('one\r\ntwo\tthree');
  });

  test('JSON has the same value', async () => {
    const { stdout } = await onTestStack(COMMANDS[1][1](), { isTTY: true });
    expect(JSON.parse(stdout).body.text).toBe(HOSTILE);
  });
});

describe('in a pipe', () => {
  test.each([COMMANDS[0]])('%s has every character as it is', async (_, args) => {
    expect((await onTestStack(args())).stdout).toContain(HOSTILE);
  });

  test('JSON has every character that it may hold as it is', async () => {
    const { stdout } = await onTestStack(COMMANDS[1][1]());
    expect(stdout).toContain('c\u009b31m \u202egnp.exe');
  });
});
