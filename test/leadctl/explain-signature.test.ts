import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { onTestStack, openTestStack } from './run-leadctl.ts';

const stack = openTestStack();
afterAll(stack.close);

let tenant: Awaited<ReturnType<typeof stack.newTenant>>;
beforeAll(async () => {
  tenant = await stack.newTenant();
});

const BODY = '{"email":"ada@example.com"}';
const now = () => String(Math.floor(Date.now() / 1000));
const sign = (secret: string, timestamp: string, body: string) =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

async function explain(timestamp: string, signature: string, more: string[] = []) {
  const headers = ['--timestamp', timestamp, '--signature', signature];
  const args = ['explain', '--form', tenant.formId, ...headers, '--body-file', '-', ...more];
  const run = await onTestStack(args, { stdin: BODY });
  expect(run.stderr).toBe('');
  // Neither the secret nor the correct signature.
  expect(run.stdout).not.toContain(tenant.secret);
  if (run.exitCode !== 0) expect(run.stdout).not.toContain(sign(tenant.secret, timestamp, BODY));
  return run;
}

test('says that a correct signature is correct', async () => {
  const timestamp = now();
  const run = await explain(timestamp, sign(tenant.secret, timestamp, BODY));
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.stdout).toBe(
    `Accepted.\nThe ${BODY.length + 11} signed bytes begin with:\n  ${timestamp}.${BODY}\n`,
  );
});

test('recognises a trailing newline', async () => {
  const timestamp = now();
  const run = await explain(timestamp, sign(tenant.secret, timestamp, `${BODY}\n`));
  expect(run.exitCode).toBe(1);
  expect(run.stdout).toMatch(
    /^Rejected: signature_mismatch\.\nThe signature doesn't match. Here's why:\n {2}body_newline_added: /,
  );
});

test('distinguishes an old request from a wrong signature, and shows the skew', async () => {
  const timestamp = String(Number(now()) - 4_000);
  const run = await explain(timestamp, sign(tenant.secret, timestamp, BODY), ['--json']);
  expect(run.exitCode).toBe(1);
  const result = JSON.parse(run.stdout) as { skewSeconds: number };
  expect(result).toMatchObject({ accepted: false, decision: 'timestamp_out_of_window', signature: 'right' });
  expect(result.skewSeconds).toBeGreaterThanOrEqual(4_000);
});

test('recognises the secret of another form of the workspace', async () => {
  const other = await stack.administration.createForm({ workspaceId: tenant.workspaceId, name: 'Other' });
  const { secret } = await stack.administration.setSecret({ formId: other.formId });
  const timestamp = now();
  const run = await explain(timestamp, sign(secret, timestamp, BODY));
  expect(run.stdout).toContain('secret_of_another_form');
  expect(run.stdout).toContain(`It belongs to the form “Other”. (${other.formId})`);
  expect(run.stdout).not.toContain(secret);
});

test('says that an inactive form accepts nothing, even with a correct signature', async () => {
  await stack.administration.setFormActive({ formId: tenant.formId, active: false });
  const timestamp = now();
  const run = await explain(timestamp, sign(tenant.secret, timestamp, BODY));
  await stack.administration.setFormActive({ formId: tenant.formId, active: true });
  expect(run.exitCode).toBe(1);
  expect(run.stdout).toMatch(/^Rejected: form_inactive\.\nThe form is inactive/);
  expect(run.stdout).toContain('The signature matches.');
});

test('refuses a missing file', async () => {
  const run = await onTestStack(['explain', '--form', tenant.formId, '--body-file', '/nowhere.json']);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toBe('leadctl: Cannot read /nowhere.json: no such file or folder (ENOENT).\n');
});
