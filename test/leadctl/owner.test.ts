import { InitiateAuthCommand } from '@aws-sdk/client-cognito-identity-provider';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startOwnCognito } from './own-engines.ts';
import { runLeadctl } from './run-leadctl.ts';
import { openTestStack } from './test-stack.ts';

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
const invite = (email: string, ...more: string[]) =>
  onCognito('owner', 'invite', '--workspace', workspaceId, '--email', email, ...more);

test('invites an owner who can sign in with the password that was shown', async () => {
  const run = await invite('ada@example.com', '--show-password', '--json');
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  const made = JSON.parse(run.stdout) as { temporaryPassword: string };
  expect(made).toMatchObject({ email: 'ada@example.com', workspaceId });
  expect(made.temporaryPassword).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[!#%+=?@_-]).{20}$/);
  const { ChallengeName } = await cognito.client.send(
    new InitiateAuthCommand({
      ClientId: cognito.clientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'ada@example.com', PASSWORD: made.temporaryPassword },
    }),
  );
  expect(ChallengeName).toBe('NEW_PASSWORD_REQUIRED');
});

test('lists the owners of one workspace, refuses the same twice, and removes one', async () => {
  const email = 'grace.hopper+owner@example.com';
  const first = await invite(email);
  expect(first).toMatchObject({ exitCode: 0, stderr: '' });
  expect(first.stdout).toContain('Cognito has emailed a temporary password');

  const twice = await invite(email);
  expect(twice).toMatchObject({ exitCode: 1, stdout: '' });
  expect(twice.stderr).toBe('leadctl: An owner with this email address already exists.\n');

  const list = async () => {
    const run = await onCognito('owner', 'list', '--workspace', workspaceId, '--json');
    return (JSON.parse(run.stdout) as { email: string }[]).map((owner) => owner.email);
  };
  expect(await list()).toContain(email);

  const asked = await onCognito('owner', 'remove', '--email', email);
  expect(asked.exitCode).toBe(2);
  expect(asked.stderr).not.toContain('grace');
  expect(await onCognito('owner', 'remove', '--email', email, '--yes')).toMatchObject({
    ...{ exitCode: 0, stdout: 'Removed the owner.\n' },
  });
  expect(await list()).not.toContain(email);
  const gone = await onCognito('owner', 'remove', '--email', email, '--yes');
  expect(gone).toMatchObject({ exitCode: 1, stderr: 'leadctl: No owner has this email address.\n' });
});

test('offboarding removes the owners of the workspace and no others', async () => {
  const other = await stack.administration.createWorkspace({ name: 'leadctl test' });
  const args = ['owner', 'invite', '--workspace', other.workspaceId, '--email', 'gone@example.com'];
  expect(await onCognito(...args)).toMatchObject({ exitCode: 0 });
  // As if begun long ago, so that there is nothing to wait for.
  await stack.client.send(
    new UpdateCommand({
      TableName: stack.tables.workspaces,
      Key: { workspaceId: other.workspaceId },
      UpdateExpression: 'SET #status = :suspended, offboardingSince = :long',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':suspended': 'suspended', ':long': 1 },
    }),
  );
  const before = JSON.parse((await onCognito('owner', 'list', '--workspace', workspaceId, '--json')).stdout);
  const run = await onCognito('workspace', 'offboard', other.workspaceId, '--yes', '--json');
  expect(JSON.parse(run.stdout)).toMatchObject({ removed: { owners: 1 } });
  const after = JSON.parse((await onCognito('owner', 'list', '--workspace', workspaceId, '--json')).stdout);
  expect(after).toEqual(before);
});

test('says so where the workspace, or the user pool, does not exist', async () => {
  const nobody = await onCognito('owner', 'invite', '--workspace', 'ws_nobody', '--email', 'a@example.com');
  expect(nobody).toMatchObject({ exitCode: 1, stdout: '' });
  expect(nobody.stderr).toContain('Workspace ws_nobody not found.');
  const outputs = ['--outputs', cognito.withoutCognito];
  const none = await runLeadctl([...outputs, 'owner', 'list', '--workspace', workspaceId]);
  expect(none).toMatchObject({ exitCode: 1, stdout: '' });
  expect(none.stderr).toMatch(/^leadctl: No user pool in stack /);
  const wrong = await invite('no address');
  expect(wrong).toMatchObject({ exitCode: 2, stderr: 'leadctl: Invalid email address.\n' });
});
