import { afterAll, expect, test } from '@jest/globals';
import { onTestStack, resultOf } from './run-leadctl.ts';
import { openTestStack } from './test-stack.ts';

const stack = openTestStack();
afterAll(stack.close);

const newWorkspace = () => stack.administration.createWorkspace({ name: 'leadctl test' });

test('creates an active form with a slug and its webhook URL', async () => {
  const { workspaceId } = await newWorkspace();
  const made = await resultOf<{ formId: string; slug: string; url: string }>([
    ...['form', 'create', '--workspace', workspaceId, '--name', 'Über uns'],
  ]);
  expect(made).toEqual({
    formId: expect.stringMatching(/^form_[0-9A-Za-z]{22}$/),
    slug: expect.stringMatching(/^uber-uns-[0-9a-f]{10}$/),
    workspaceId,
    name: 'Über uns',
    active: true,
    createdAt: expect.any(String),
    url: `${stack.outputs.ingestUrl}/api/v1/ingest/${made.slug}`,
  });
  const { url, ...stored } = made;
  expect(await stack.formItem(made.slug, made.formId)).toEqual({ ...stored, v: 1 });
});

test('tells a person the webhook URL and the next commands', async () => {
  const { workspaceId } = await newWorkspace();
  const run = await onTestStack(['form', 'create', '--workspace', workspaceId, '--name', 'Contact us']);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  const [, formId] = /^Created form (form_\w+) \(Contact us\)\.$/m.exec(run.stdout) ?? [];
  expect(run.stdout).toMatch(`Webhook URL: ${stack.outputs.ingestUrl}/api/v1/ingest/contact-us-`);
  expect(run.stdout).toMatch(`secret set --form ${formId}\n`);
  expect(run.stdout).toMatch(`token create --form ${formId}\n`);
});

test('deactivates and activates, raising the configuration version each time', async () => {
  const { formId, slug, workspaceId } = await stack.newForm();
  expect(await resultOf(['form', 'deactivate', formId])).toEqual({
    formId,
    slug,
    workspaceId,
    active: false,
  });
  expect(await stack.formItem(slug, formId)).toMatchObject({ active: false, name: 'Contact us' });
  expect(await stack.configVersion(workspaceId)).toBe(2);
  expect(await resultOf(['form', 'activate', formId])).toEqual({ formId, slug, workspaceId, active: true });
  expect(await stack.formItem(slug, formId)).toMatchObject({ active: true });
  expect(await stack.configVersion(workspaceId)).toBe(3);
});

test('tells a person what the form does now', async () => {
  const { formId, slug } = await stack.newForm();
  const off = await onTestStack(['form', 'deactivate', formId]);
  expect(off.stdout).toBe(`Form ${formId} (${slug}) is inactive: all its submissions are rejected.\n`);
  const on = await onTestStack(['form', 'activate', formId]);
  expect(on.stdout).toBe(`Form ${formId} (${slug}) is active: it accepts submissions.\n`);
});

test.each([
  ['a form in an unknown workspace', ['form', 'create', '--workspace', 'ws_nobody', '--name', 'x']],
  ['an unknown form', ['form', 'deactivate', 'form_nobody']],
])('cannot find %s', async (_, args) => {
  const run = await onTestStack(args);
  expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  expect(run.stderr).toMatch(/^leadctl: .*(ws|form)_nobody.*\. Check the ID, .*\n$/);
});

test('lists the forms of a workspace, archived ones too, with what a sender needs', async () => {
  const { workspaceId } = await newWorkspace();
  const first = await stack.administration.createForm({ workspaceId, name: 'First' });
  const second = await stack.administration.createForm({ workspaceId, name: 'Second' });
  await stack.administration.archiveForm(second.formId);
  const listed = await resultOf<Record<string, unknown>[]>(['form', 'list', '--workspace', workspaceId]);
  expect(listed.map(({ formId }) => formId)).toEqual([first.formId, second.formId]);
  expect(listed[0]).toMatchObject({
    active: true,
    url: `${stack.outputs.ingestUrl}/api/v1/ingest/${first.slug}`,
  });
  const { stdout } = await onTestStack(['form', 'list', '--workspace', workspaceId]);
  expect(stdout).toMatch(
    new RegExp(
      `^ID +SLUG +STATE +KEEPS LEADS +CREATED +NAME\n${first.formId} +${first.slug} +active +forever `,
    ),
  );
  expect(stdout).toMatch(new RegExp(`^${second.formId} +${second.slug} +archived `, 'm'));
});

test('says how to make a form where there is none, and where there is no workspace', async () => {
  const { workspaceId } = await newWorkspace();
  const none = await onTestStack(['form', 'list', '--workspace', workspaceId]);
  expect(none.stdout).toMatch(
    /^No forms yet\. Create one:\n {2}npx --no-install leadctl .* form create --workspace/,
  );
  const nobody = await onTestStack(['form', 'list', '--workspace', 'ws_nobody']);
  expect(nobody).toMatchObject({ exitCode: 1, stdout: '' });
  expect(nobody.stderr).toContain('Workspace ws_nobody not found.');
});

test('keeps leads for days and then for ever again, for those that come in from then on', async () => {
  const { formId, slug, workspaceId } = await stack.newForm();
  const of = { formId, slug, workspaceId };
  expect(await resultOf(['form', 'keep', formId, '--days', '90'])).toEqual({ ...of, retentionDays: 90 });
  expect(await stack.formItem(slug, formId)).toMatchObject({ retentionDays: 90, name: 'Contact us' });
  expect(await stack.configVersion(workspaceId)).toBe(2);
  const { stdout } = await onTestStack(['form', 'list', '--workspace', workspaceId]);
  expect(stdout).toMatch(new RegExp(`^${formId} +${slug} +active +90 days +`, 'm'));

  const undone = await onTestStack(['form', 'keep', formId, '--for-ever']);
  expect(undone.stdout).toBe(`Form ${formId} (${slug}) keeps new leads forever.\n`);
  expect(await stack.formItem(slug, formId)).not.toHaveProperty('retentionDays');
});

test.each([[[]], [['--days', '0']], [['--days', '3651']], [['--days', '7', '--for-ever']]])(
  'cannot keep leads by %j',
  async (options) => {
    const { formId, slug } = await stack.newForm();
    const run = await onTestStack(['form', 'keep', formId, ...options]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await stack.formItem(slug, formId)).not.toHaveProperty('retentionDays');
  },
);
