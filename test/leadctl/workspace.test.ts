import { afterAll, expect, test } from '@jest/globals';
import { onTestStack, resultOf } from './run-leadctl.ts';
import { openTestStack } from './test-stack.ts';

const stack = openTestStack();
afterAll(stack.close);

const newWorkspace = (name = 'leadctl test') => stack.administration.createWorkspace({ name });

test('creates an active workspace, and prints what is stored', async () => {
  const made = await resultOf<{ workspaceId: string }>(['workspace', 'create', '--name', ' Müller & Söhne ']);
  expect(made).toEqual({
    workspaceId: expect.stringMatching(/^ws_[0-9A-Za-z]{22}$/),
    name: 'Müller & Söhne',
    status: 'active',
    configVersion: 1,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  expect(await stack.workspaceItem(made.workspaceId)).toEqual({ ...made, v: 1 });
});

test('tells a person the id of the new workspace and the next command', async () => {
  const { exitCode, stdout, stderr } = await onTestStack(['workspace', 'create', '--name', 'Acme']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [, id] = /^Created workspace (ws_\w+) \(Acme\)\.$/m.exec(stdout) ?? [];
  expect(stdout).toMatch(
    new RegExp(`npx --no-install leadctl --outputs \\S+ form create --workspace ${id} --name`),
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
  const { workspaceId, createdAt } = await newWorkspace('red \u001b[31m\nalert');
  const { stdout } = await onTestStack(['workspace', 'list']);
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/^ID +STATUS +CREATED +NAME$/);
  expect(lines.find((line) => line.startsWith(workspaceId))).toMatch(
    new RegExp(`^${workspaceId} +active +${createdAt} +red \u{fffd}\\[31m\u{fffd}alert$`, 'u'),
  );
});

test('suspends and resumes, raising the configuration version each time', async () => {
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

test('tells a person what suspending means and how to undo it', async () => {
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
  ['blank', '   ', 'cannot be empty'],
  ['too long', 'x'.repeat(101), 'at most 100 characters'],
])('refuses a name that is %s', async (_, name, problem) => {
  const run = await onTestStack(['workspace', 'create', '--name', name]);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(problem);
});
