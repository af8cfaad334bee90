import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  AdminSetUserPasswordCommand,
  type AuthFlowType,
  InitiateAuthCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeApiKeys } from '../../lambdas/access/api-keys-store.ts';
import { memberIdOf } from '../../lambdas/owner-api/principal.ts';
import { until } from '../until.ts';
import { startOwnCognito } from './own-engines.ts';
import { openTestStack, runLeadctl } from './run-leadctl.ts';

describe('leadctl member and api-key', () => {
  const stack = openTestStack();
  let cognito: Awaited<ReturnType<typeof startOwnCognito>>;
  let workspaceId: string;

  beforeAll(async () => {
    cognito = await startOwnCognito();
    ({ workspaceId } = await stack.administration.createWorkspace({ name: 'leadctl test' }));
  });
  afterAll(async () => {
    stack.close();
    await cognito.close();
  });

  const onCognito = (...args: string[]) => runLeadctl(['--outputs', cognito.outputsFile, ...args]);

  test('inviting an owner makes a member, and removing one refuses their tokens', async () => {
    const email = 'member@example.com';
    await onCognito('owner', 'invite', '--workspace', workspaceId, '--email', email);
    const members = async () => {
      const run = await onCognito('member', 'list', '--workspace', workspaceId, '--json');
      return JSON.parse(run.stdout) as { memberId: string; role: string; email: string }[];
    };
    const made = (await members()).find((each) => each.email === email);
    expect(made).toMatchObject({ role: 'owner' });
    await onCognito('owner', 'remove', '--email', email, '--yes');
    expect((await members()).map((each) => each.email)).not.toContain(email);
    const { Items = [] } = await stack.client.send(
      new QueryCommand({
        TableName: stack.tables.members,
        KeyConditionExpression: 'workspaceId = :workspaceId',
        ExpressionAttributeValues: { ':workspaceId': workspaceId },
      }),
    );
    const Item = Items.find(({ memberId }) => memberIdOf(workspaceId, memberId) === made?.memberId);
    expect(Item).toMatchObject({ removedAt: expect.any(String), expiresAt: expect.any(Number) });
    expect(Item).not.toHaveProperty('email');
  });

  test("resetting an owner's password ends every session, and shows a temporary password", async () => {
    const email = 'forgetful@example.com';
    await onCognito('owner', 'invite', '--workspace', workspaceId, '--email', email);
    const { UserPoolId } = Object.values(JSON.parse(readFileSync(cognito.outputsFile, 'utf8')))[0] as {
      UserPoolId: string;
    };
    const Password = 'Their-own-password-1';
    await cognito.client.send(
      new AdminSetUserPasswordCommand({ UserPoolId, Username: email, Password, Permanent: true }),
    );
    const start = (AuthFlow: AuthFlowType, AuthParameters: Record<string, string>) =>
      cognito.client.send(new InitiateAuthCommand({ ClientId: cognito.clientId, AuthFlow, AuthParameters }));
    const { AuthenticationResult } = await start('USER_PASSWORD_AUTH', {
      USERNAME: email,
      PASSWORD: Password,
    });
    const refresh = () =>
      start('REFRESH_TOKEN_AUTH', { REFRESH_TOKEN: AuthenticationResult?.RefreshToken ?? '' });
    expect((await refresh()).AuthenticationResult?.IdToken).toBeDefined();

    const reset = ['owner', 'reset-password', '--email', email];
    expect((await onCognito(...reset)).exitCode).toBe(2);
    const run = await onCognito(...reset, '--yes', '--json');
    const { temporaryPassword } = JSON.parse(run.stdout) as { temporaryPassword: string };
    expect(temporaryPassword).toHaveLength(20);
    await expect(refresh()).rejects.toThrow('User not authorized');
    const again = await start('USER_PASSWORD_AUTH', { USERNAME: email, PASSWORD: temporaryPassword });
    expect(again.ChallengeName).toBe('NEW_PASSWORD_REQUIRED');
    const nobody = await onCognito('owner', 'reset-password', '--email', 'no@example.com', '--yes');
    expect(nobody).toMatchObject({ exitCode: 1, stderr: 'leadctl: No owner has this email address.\n' });
  });

  test('removing an owner lists the API keys that they made, and revokes them if asked', async () => {
    const email = 'maker@example.com';
    const apiKeys = makeApiKeys({ ...stack, now: Date.now, randomBytes })(workspaceId);
    const make = async () => {
      await onCognito('owner', 'invite', '--workspace', workspaceId, '--email', email);
      const run = await onCognito('member', 'list', '--workspace', workspaceId, '--json');
      const members = JSON.parse(run.stdout) as { memberId: string; email: string }[];
      const createdById = members.find((each) => each.email === email)?.memberId ?? '';
      const wanted = { name: 'Zapier', scopes: ['leads:read'], createdBy: email, createdById } as const;
      const { keyId } = (await apiKeys.create(wanted)).record;
      await until(apiKeys.list, (keys) => keys.some((key) => key.keyId === keyId));
      return keyId;
    };
    const isRevoked = async (keyId: string) =>
      (await apiKeys.list()).some((key) => key.keyId === keyId && key.revokedAt !== undefined);

    const first = await make();
    const kept = await onCognito('owner', 'remove', '--email', email, '--yes');
    expect(kept.stdout).toMatch(`API keys that they created still work:\n\nKEY`);
    expect(kept.stdout).toContain(`api-key revoke ${first} --workspace ${workspaceId}`);
    expect(await isRevoked(first)).toBe(false);

    const second = await make();
    const removed = await onCognito(
      'owner',
      'remove',
      '--email',
      email,
      '--revoke-api-keys',
      '--yes',
      '--json',
    );
    expect(JSON.parse(removed.stdout)).toMatchObject({ removed: true });
    expect(JSON.parse(removed.stdout).apiKeys).toContainEqual({
      keyId: second,
      name: 'Zapier',
      scopes: ['leads:read'],
      revoked: true,
    });
    await until(() => isRevoked(second), Boolean);
  });

  test('API keys are listed, and revoked once confirmed', async () => {
    const context = { ...stack, now: Date.now, randomBytes };
    const wanted = {
      name: 'Zapier',
      scopes: ['leads:read'],
      createdBy: 'ada@example.com',
      createdById: 'mem_1',
    } as const;
    const { record, apiKey } = await makeApiKeys(context)(workspaceId).create(wanted);
    const { keyId } = record;
    const list = () => onCognito('api-key', 'list', '--workspace', workspaceId);
    const listed = await until(list, ({ stdout }) => stdout.includes(keyId));
    expect(listed.stdout).toMatch(/active +- +leads:read +Zapier/);
    expect(listed.stdout).not.toContain(record.keyHash);
    const revoke = ['api-key', 'revoke', keyId, '--workspace', workspaceId];
    expect((await onCognito(...revoke)).exitCode).toBe(2);
    expect(await onCognito(...revoke, '--yes')).toMatchObject({ exitCode: 0, stdout: `Revoked ${keyId}.\n` });
    await until(list, ({ stdout }) => stdout.includes('revoked'));
    const unknown = await onCognito('api-key', 'revoke', 'key_none', '--workspace', workspaceId, '--yes');
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stderr).toMatch(/^leadctl: API key key_none not found\./);
    const pasted = await onCognito('api-key', 'revoke', apiKey, '--workspace', workspaceId, '--yes');
    expect(pasted.exitCode).toBe(2);
    expect(pasted.stderr).not.toContain(apiKey);
  });
});
