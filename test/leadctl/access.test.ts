import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AdminSetUserPasswordCommand,
  type AuthFlowType,
  InitiateAuthCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, expect, test } from '@jest/globals';
import { makeApiKeys } from '../../lambdas/access/api-keys-store.ts';
import { memberIdOf } from '../../lambdas/owner-api/principal.ts';
import { itemsOf } from '../stored-items.ts';
import { until } from '../until.ts';
import { startOwnCognito } from './own-engines.ts';
import { endSettling, openTestStack, runLeadctl } from './run-leadctl.ts';

const stack = openTestStack();
const cognito = await startOwnCognito();
afterAll(cognito.close);
const { workspaceId } = await stack.administration.createWorkspace({ name: 'leadctl test' });

const onCognito = (...args: string[]) =>
  runLeadctl(['--outputs', cognito.outputsFile, ...args], { forgottenAfterMilliseconds: 0 });
const invite = (email: string, ...more: string[]) =>
  onCognito('owner', 'invite', '--workspace', workspaceId, '--email', email, ...more);
const remove = (email: string, ...more: string[]) => onCognito('owner', 'remove', '--email', email, ...more);

async function listed(what: 'owner' | 'member') {
  const { stdout } = await onCognito(what, 'list', '--workspace', workspaceId, '--json');
  return JSON.parse(stdout) as { email: string; memberId: string; role: string }[];
}

const start = (AuthFlow: AuthFlowType, AuthParameters: Record<string, string>) =>
  cognito.client.send(new InitiateAuthCommand({ ClientId: cognito.clientId, AuthFlow, AuthParameters }));
const signIn = (USERNAME: string, PASSWORD: string) => start('USER_PASSWORD_AUTH', { USERNAME, PASSWORD });

test('an owner is invited by email once, is a member, and can be removed', async () => {
  const email = 'grace.hopper+owner@example.com';
  const first = await invite(email);
  expect(first).toMatchObject({ exitCode: 0, stderr: '' });
  const [, folder = ''] = /The email with a temporary password is in (\S+):/.exec(first.stdout) ?? [];
  const mails = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  expect(mails.map((name) => readFileSync(join(folder, name), 'utf8'))).toContainEqual(
    expect.stringMatching(/^To: grace\.hopper\+owner@example\.com\r$.*temporary password is \S+$/ms),
  );
  const stderr = 'leadctl: An owner with this email address already exists.\n';
  expect(await invite(email)).toEqual({ exitCode: 1, stdout: '', stderr });

  expect((await listed('owner')).map((each) => each.email)).toContain(email);
  const made = (await listed('member')).find((each) => each.email === email);
  expect(made).toMatchObject({ role: 'owner' });
  expect(await remove(email, '--yes')).toMatchObject({ exitCode: 0, stdout: 'Removed the owner.\n' });
  expect((await listed('owner')).map((each) => each.email)).not.toContain(email);
  expect((await listed('member')).map((each) => each.email)).not.toContain(email);
  const gone = await remove(email, '--yes');
  expect(gone).toMatchObject({ exitCode: 1, stderr: 'leadctl: No owner has this email address.\n' });

  // So that their tokens are refused.
  const members = await itemsOf(stack.client, stack.tables.members, { workspaceId });
  const item = members.find(({ memberId }) => memberIdOf(workspaceId, String(memberId)) === made?.memberId);
  expect(item).toMatchObject({ removedAt: expect.any(String), expiresAt: expect.any(Number) });
  expect(item).not.toHaveProperty('email');
});

test("a shown password signs in, and resetting an owner's password ends every session", async () => {
  const email = 'forgetful@example.com';
  const { temporaryPassword: first } = JSON.parse((await invite(email, '--show-password', '--json')).stdout);
  expect(first).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[!#%+=?@_-]).{20}$/);
  expect((await signIn(email, first)).ChallengeName).toBe('NEW_PASSWORD_REQUIRED');

  const [{ UserPoolId } = {}] = Object.values(
    JSON.parse(readFileSync(cognito.outputsFile, 'utf8')) as Record<string, Record<string, string>>,
  );
  const Password = 'Their-own-password-1';
  await cognito.client.send(
    new AdminSetUserPasswordCommand({ UserPoolId, Username: email, Password, Permanent: true }),
  );
  const { AuthenticationResult } = await signIn(email, Password);
  const refresh = () =>
    start('REFRESH_TOKEN_AUTH', { REFRESH_TOKEN: AuthenticationResult?.RefreshToken ?? '' });
  expect((await refresh()).AuthenticationResult?.IdToken).toBeDefined();

  const run = await onCognito('owner', 'reset-password', '--email', email, '--yes', '--json');
  const { temporaryPassword } = JSON.parse(run.stdout) as { temporaryPassword: string };
  await expect(refresh()).rejects.toThrow('User not authorized');
  expect((await signIn(email, temporaryPassword)).ChallengeName).toBe('NEW_PASSWORD_REQUIRED');
  const nobody = await onCognito('owner', 'reset-password', '--email', 'no@example.com', '--yes');
  expect(nobody).toMatchObject({ exitCode: 1, stderr: 'leadctl: No owner has this email address.\n' });
});

test('removing an owner lists the API keys that they made, and revokes them if asked', async () => {
  const email = 'maker@example.com';
  const apiKeys = makeApiKeys({ ...stack, now: Date.now, randomBytes })(workspaceId);
  const make = async () => {
    await invite(email);
    const createdById = (await listed('member')).find((each) => each.email === email)?.memberId ?? '';
    const wanted = { name: 'Zapier', scopes: ['leads:read'], createdBy: email, createdById } as const;
    const { keyId } = (await apiKeys.create(wanted)).record;
    await until(apiKeys.list, (keys) => keys.some((key) => key.keyId === keyId));
    return keyId;
  };
  const isRevoked = async (keyId: string) =>
    (await apiKeys.list()).some((key) => key.keyId === keyId && key.revokedAt !== undefined);

  const first = await make();
  const kept = await remove(email, '--yes');
  expect(kept.stdout).toMatch(`API keys that they created still work:\n\nKEY`);
  expect(kept.stdout).toContain(`api-key revoke ${first} --workspace ${workspaceId}`);
  expect(await isRevoked(first)).toBe(false);

  const second = await make();
  const removed = await remove(email, '--revoke-api-keys', '--yes', '--json');
  const revoked = { keyId: second, name: 'Zapier', scopes: ['leads:read'], revoked: true };
  expect(JSON.parse(removed.stdout)).toMatchObject({ removed: true });
  expect(JSON.parse(removed.stdout).apiKeys).toContainEqual(revoked);
  expect(await until(() => isRevoked(second), Boolean)).toBe(true);
});

test('offboarding removes the owners of the workspace and no others', async () => {
  const other = await stack.administration.createWorkspace({ name: 'leadctl test' });
  const args = ['owner', 'invite', '--workspace', other.workspaceId, '--email', 'gone@example.com'];
  expect(await onCognito(...args)).toMatchObject({ exitCode: 0 });
  await endSettling(stack, other.workspaceId);
  const before = await listed('owner');
  const run = await onCognito('workspace', 'offboard', other.workspaceId, '--yes', '--json');
  expect(JSON.parse(run.stdout)).toMatchObject({ removed: { owners: 1 } });
  expect(await listed('owner')).toEqual(before);
});

test('a stack without a user pool says so', async () => {
  const list = ['owner', 'list', '--workspace', workspaceId];
  const none = await runLeadctl(['--outputs', cognito.withoutCognito, ...list]);
  expect(none).toMatchObject({ exitCode: 1, stdout: '' });
  expect(none.stderr).toMatch(/^leadctl: No user pool in stack /);
});
