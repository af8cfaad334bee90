import { afterAll, expect, test } from '@jest/globals';
import { hashToken } from '../../lambdas/submission/server-token.ts';
import { onTestStack, resultOf } from './run-leadctl.ts';
import { openTestStack } from './test-stack.ts';

const stack = openTestStack();
afterAll(stack.close);

interface Token {
  readonly tokenId: string;
  readonly token: string;
}

test('creates a server token of which only the hash is stored', async () => {
  const { formId, slug, workspaceId } = await stack.newForm();
  const made = await resultOf<Token>(['token', 'create', '--form', formId, '--name', 'CRM']);
  expect(made).toEqual({
    tokenId: expect.stringMatching(/^tok_[0-9A-Za-z]{22}$/),
    token: expect.stringMatching(/^ingt_srv_[0-9A-Za-z]{49}$/),
    ...{ formId, slug, workspaceId, type: 'server', name: 'CRM' },
    lastFour: made.token.slice(-4),
    createdAt: expect.any(String),
  });
  const { token, ...record } = made;
  const stored = await stack.tokenItem(hashToken(token));
  expect(stored).toEqual({ ...record, tokenHash: hashToken(token), v: 1 });
  expect(JSON.stringify(stored)).not.toContain(token.slice('ingt_srv_'.length, -4));
});

test('shows a person the token once, says so, and how to use and revoke it', async () => {
  const { formId, slug } = await stack.newForm();
  const { exitCode, stdout, stderr } = await onTestStack(['token', 'create', '--form', formId]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(
    new RegExp(`^Created server token tok_\\w+ \\(server token\\) for form ${formId} \\(${slug}\\):\n`),
  );
  expect(stdout.match(/ingt_srv_\w+/g)).toHaveLength(1);
  expect(stdout).toMatch('shown only once');
  expect(stdout).toMatch(`curl ${stack.outputs.ingestUrl}/api/v1/ingest -H`);
  expect(stdout).toMatch(/token revoke tok_\w+\n/);
});

test('revokes a token, raising the configuration version, and keeps the first date when repeated', async () => {
  const { formId, workspaceId } = await stack.newForm();
  const { token, tokenId } = await stack.administration.createToken({ formId });
  const revoke = () => resultOf<{ revokedAt: string }>(['token', 'revoke', tokenId, '--yes']);
  const revoked = await revoke();
  expect(revoked).toEqual({ tokenId, workspaceId, revokedAt: expect.any(String) });
  expect(await stack.tokenItem(hashToken(token))).toMatchObject({ revokedAt: revoked.revokedAt });
  expect(await stack.configVersion(workspaceId)).toBe(2);
  expect(await revoke()).toEqual(revoked);
  expect(await stack.configVersion(workspaceId)).toBe(3);
});

test('tells a person that the token has ended', async () => {
  const { formId } = await stack.newForm();
  const { token, tokenId } = await stack.administration.createToken({ formId });
  const run = await onTestStack(['token', 'revoke', tokenId, '--yes']);
  expect(run.stdout).toMatch(
    new RegExp(`^Revoked server token ${tokenId} at \\S+\\. Submissions with it are rejected\\.\n$`),
  );
  expect(run.stdout).not.toContain(token);
});

test('revokes nothing without a terminal or --yes', async () => {
  const { formId, workspaceId } = await stack.newForm();
  const { token, tokenId } = await stack.administration.createToken({ formId });
  const run = await onTestStack(['token', 'revoke', tokenId, '--json'], { stdin: 'yes\n' });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(JSON.parse(run.stderr)).toEqual({
    error: {
      code: 'usage',
      message: expect.stringContaining('Add --yes to permanently revoke server token'),
    },
  });
  expect(await stack.tokenItem(hashToken(token))).not.toHaveProperty('revokedAt');
  expect(await stack.configVersion(workspaceId)).toBe(1);
});

test('cannot find an unknown form or token', async () => {
  const [create, revoke] = await Promise.all([
    onTestStack(['token', 'create', '--form', 'form_nobody']),
    onTestStack(['token', 'revoke', 'tok_nobody', '--yes']),
  ]);
  expect(create).toMatchObject({ exitCode: 1, stdout: '' });
  expect(create.stderr).toMatch('form_nobody');
  expect(revoke).toMatchObject({ exitCode: 1, stdout: '' });
  expect(revoke.stderr).toMatch('tok_nobody');
});

test('does not repeat a token that is given in place of its id', async () => {
  const run = await onTestStack(['token', 'revoke', 'ingt_srv_0123456789', '--yes']);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/Pass the token ID/);
  expect(run.stderr).not.toContain('0123456789');
});

test('lists the tokens of a workspace by id and last four, and no token or hash', async () => {
  const { workspaceId, formId } = await stack.newForm();
  const first = await stack.administration.createToken({ formId, name: 'Backend' });
  const second = await stack.administration.createToken({ formId });
  await stack.administration.revokeToken(second.tokenId);
  const run = await onTestStack(['token', 'list', '--workspace', workspaceId, '--json']);
  expect(JSON.parse(run.stdout)).toEqual([
    {
      ...{ tokenId: first.tokenId, formId, type: 'server', name: 'Backend' },
      ...{ lastFour: first.token.slice(-4), createdAt: first.createdAt },
    },
    expect.objectContaining({ tokenId: second.tokenId, revokedAt: expect.any(String) }),
  ]);
  const human = await onTestStack(['token', 'list', '--workspace', workspaceId]);
  expect(human.stdout).toMatch(new RegExp(`^${second.tokenId} +${formId} +….{4} +revoked `, 'm'));
  for (const { token } of [first, second]) expect(human.stdout).not.toContain(token);
});
