import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InitiateAuthCommand } from '@aws-sdk/client-cognito-identity-provider';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startOwnCognito } from './own-engines.ts';
import { onTestStack, openTestStack, resultOf, runLeadctl } from './run-leadctl.ts';

describe('leadctl workspace', () => {
  const stack = openTestStack();
  afterAll(stack.close);

  const newWorkspace = (name = 'leadctl test') => stack.administration.createWorkspace({ name });

  test('creates an active workspace, and prints what is stored', async () => {
    const made = await resultOf<{ workspaceId: string }>([
      'workspace',
      'create',
      '--name',
      ' Müller & Söhne ',
    ]);
    expect(made).toEqual({
      workspaceId: expect.stringMatching(/^ws_[0-9A-Za-z]{22}$/),
      name: 'Müller & Söhne',
      status: 'active',
      configVersion: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(await stack.workspaceItem(made.workspaceId)).toEqual({ ...made, v: 1 });
  });

  test('shows people the id of the new workspace and the next command', async () => {
    const { exitCode, stdout, stderr } = await onTestStack(['workspace', 'create', '--name', 'Acme']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const [, id] = /^Created workspace (ws_\w+) \(Acme\)\.$/m.exec(stdout) ?? [];
    expect(stdout).toMatch(
      new RegExp(`npx --no-install leadctl --outputs .+ form create --workspace ${id} --name`),
    );
  });

  test('lists workspaces as an array, oldest first', async () => {
    const first = await newWorkspace('the first');
    const second = await newWorkspace('the second');
    await stack.administration.suspendWorkspace(second.workspaceId);
    const listed = await resultOf<{ workspaceId: string }[]>(['workspace', 'list']);
    const both = [first.workspaceId, second.workspaceId];
    expect(listed.filter(({ workspaceId }) => both.includes(workspaceId))).toEqual([
      first,
      { ...second, status: 'suspended', configVersion: 2 },
    ]);
  });

  test('lists workspaces as a table that no name can break', async () => {
    const workspace = await newWorkspace();
    const { workspaceId, createdAt } = workspace;
    // As an earlier version stored it.
    const Item = { ...workspace, name: 'red \u001b[31m\nalert' };
    await stack.client.send(new PutCommand({ TableName: stack.tables.workspaces, Item }));
    const { stdout } = await onTestStack(['workspace', 'list']);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^ID +STATUS +CREATED +NAME$/);
    expect(lines.find((line) => line.startsWith(workspaceId))).toMatch(
      new RegExp(`^${workspaceId} +active +${createdAt} +red \u{fffd}\\[31m\u{fffd}alert$`, 'u'),
    );
  });

  test('suspends and resumes, and raises the configuration version each time', async () => {
    const { workspaceId } = await newWorkspace();
    expect(await resultOf(['workspace', 'suspend', workspaceId, '--yes'])).toEqual({
      workspaceId,
      status: 'suspended',
      configVersion: 2,
    });
    expect(await stack.workspaceItem(workspaceId)).toMatchObject({ status: 'suspended', configVersion: 2 });
    expect(await resultOf(['workspace', 'resume', workspaceId])).toEqual({
      workspaceId,
      status: 'active',
      configVersion: 3,
    });
    expect(await stack.workspaceItem(workspaceId)).toMatchObject({ status: 'active', configVersion: 3 });
  });

  test('shows people what suspending means and how to undo it', async () => {
    const { workspaceId } = await newWorkspace();
    const suspended = await onTestStack(['workspace', 'suspend', workspaceId, '--yes']);
    expect(suspended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(suspended.stdout).toMatch(
      `Workspace ${workspaceId} is suspended: all its submissions are rejected.`,
    );
    expect(suspended.stdout).toMatch(`workspace resume ${workspaceId}`);
    const resumed = await onTestStack(['workspace', 'resume', workspaceId]);
    expect(resumed.stdout).toBe(`Workspace ${workspaceId} is active: it accepts submissions.\n`);
  });

  test('suspends nothing without a terminal or --yes', async () => {
    const { workspaceId } = await newWorkspace();
    const run = await onTestStack(['workspace', 'suspend', workspaceId], { stdin: 'yes\n' });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/^leadctl: No terminal to confirm on\. Add --yes to suspend workspace .*\n$/);
    expect(await stack.workspaceItem(workspaceId)).toMatchObject({ status: 'active', configVersion: 1 });
  });

  test.each(['suspend', 'resume'])(
    'cannot %s a workspace that does not exist, and does not make one',
    async (verb) => {
      const args = ['workspace', verb, 'ws_nobody', ...(verb === 'suspend' ? ['--yes'] : [])];
      const run = await onTestStack([...args, '--json']);
      expect(run).toMatchObject({ exitCode: 1, stdout: '' });
      expect(JSON.parse(run.stderr)).toEqual({
        error: {
          code: 'not_found',
          message: expect.stringMatching(/ws_nobody.*\. Check the ID/),
        },
      });
      expect(await stack.workspaceItem('ws_nobody')).toBeUndefined();
    },
  );

  test.each([
    ['blank', '   ', 'must have 1 to 100 characters'],
    ['too long', 'x'.repeat(101), 'must have 1 to 100 characters'],
    ['two lines', 'Acme\nScore 100', 'must not contain line breaks'],
    ['written backwards', 'Acme \u202egnp.exe', 'must not contain line breaks'],
  ])('refuses a name that is %s', async (_, name, problem) => {
    const run = await onTestStack(['workspace', 'create', '--name', name]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(problem);
  });
});

describe('leadctl owner', () => {
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

  const onCognito = (...args: string[]) =>
    runLeadctl(['--outputs', cognito.outputsFile, ...args], { forgottenAfterMilliseconds: 0 });
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
    const [, folder = ''] = /The email with a temporary password is in (\S+):/.exec(first.stdout) ?? [];
    const mails = readdirSync(folder).filter((name) => name.endsWith('.eml'));
    expect(mails.map((name) => readFileSync(join(folder, name), 'utf8'))).toContainEqual(
      expect.stringMatching(/^To: grace\.hopper\+owner@example\.com\r$.*temporary password is \S+$/ms),
    );

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
      exitCode: 0,
      stdout: 'Removed the owner.\n',
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
    const before = JSON.parse(
      (await onCognito('owner', 'list', '--workspace', workspaceId, '--json')).stdout,
    );
    const run = await onCognito('workspace', 'offboard', other.workspaceId, '--yes', '--json');
    expect(JSON.parse(run.stdout)).toMatchObject({ removed: { owners: 1 } });
    const after = JSON.parse((await onCognito('owner', 'list', '--workspace', workspaceId, '--json')).stdout);
    expect(after).toEqual(before);
  });

  test('says if the workspace or the user pool does not exist', async () => {
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
});
