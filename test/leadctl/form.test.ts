import { afterAll, describe, expect, test } from '@jest/globals';
import { hashToken } from '../../lambdas/model/ingest-token.ts';
import { onTestStack, openTestStack, resultOf } from './run-leadctl.ts';

describe('leadctl form', () => {
  const stack = openTestStack();
  afterAll(stack.close);

  const newWorkspace = () => stack.administration.createWorkspace({ name: 'leadctl test' });

  test('creates an active form with a slug and its webhook URL', async () => {
    const { workspaceId } = await newWorkspace();
    const create = ['form', 'create', '--workspace', workspaceId, '--name', 'Über uns'];
    const made = await resultOf<{ formId: string; slug: string; url: string }>(create);
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

  test('shows people the webhook URL and the next commands', async () => {
    const { workspaceId } = await newWorkspace();
    const run = await onTestStack(['form', 'create', '--workspace', workspaceId, '--name', 'Contact us']);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const [, formId] = /^Created form (form_\w+) \(Contact us\)\.$/m.exec(run.stdout) ?? [];
    expect(run.stdout).toMatch(`Webhook URL: ${stack.outputs.ingestUrl}/api/v1/ingest/contact-us-`);
    expect(run.stdout).toMatch(`secret set --form ${formId}\n`);
    expect(run.stdout).toMatch(`token create --form ${formId}\n`);
  });

  test('deactivates and activates, and raises the configuration version each time', async () => {
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

  test('shows people what the form does now', async () => {
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
        `^ID +SLUG +STATE +KEEPS LEADS +BROWSERS +PROVIDER +CREATED +NAME\n${first.formId} +${first.slug} +active +forever +off +none `,
      ),
    );
    expect(stdout).toMatch(new RegExp(`^${second.formId} +${second.slug} +archived `, 'm'));
  });

  test('says how to create a form if there is none, and if there is no workspace', async () => {
    const { workspaceId } = await newWorkspace();
    const none = await onTestStack(['form', 'list', '--workspace', workspaceId]);
    expect(none.stdout).toMatch(
      /^No forms yet\. Create one:\n {2}npx --no-install leadctl .* form create --workspace/,
    );
    const nobody = await onTestStack(['form', 'list', '--workspace', 'ws_nobody']);
    expect(nobody).toMatchObject({ exitCode: 1, stdout: '' });
    expect(nobody.stderr).toContain('Workspace ws_nobody not found.');
  });

  test('keeps new leads for days, and then forever again', async () => {
    const { formId, slug, workspaceId } = await stack.newForm();
    const of = { formId, slug, workspaceId };
    expect(await resultOf(['form', 'keep', formId, '--days', '90'])).toEqual({ ...of, retentionDays: 90 });
    expect(await stack.formItem(slug, formId)).toMatchObject({ retentionDays: 90, name: 'Contact us' });
    expect(await stack.configVersion(workspaceId)).toBe(2);
    const { stdout } = await onTestStack(['form', 'list', '--workspace', workspaceId]);
    expect(stdout).toMatch(new RegExp(`^${formId} +${slug} +active +90 days +`, 'm'));

    const undone = await onTestStack(['form', 'keep', formId, '--forever']);
    expect(undone.stdout).toBe(`Form ${formId} (${slug}) keeps new leads forever.\n`);
    expect(await stack.formItem(slug, formId)).not.toHaveProperty('retentionDays');
  });

  test.each([[[]], [['--days', '0']], [['--days', '3651']], [['--days', '7', '--forever']]])(
    'cannot keep leads by %j',
    async (options) => {
      const { formId, slug } = await stack.newForm();
      const run = await onTestStack(['form', 'keep', formId, ...options]);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(await stack.formItem(slug, formId)).not.toHaveProperty('retentionDays');
    },
  );
});

describe('leadctl token', () => {
  const stack = openTestStack();
  afterAll(stack.close);

  interface Token {
    readonly tokenId: string;
    readonly token: string;
  }

  test('creates a server token and stores only its hash', async () => {
    const { formId, slug, workspaceId } = await stack.newForm();
    const made = await resultOf<Token>(['token', 'create', '--form', formId, '--name', 'CRM']);
    expect(made).toEqual({
      tokenId: expect.stringMatching(/^tok_[0-9A-Za-z]{22}$/),
      token: expect.stringMatching(/^ingt_srv_[0-9A-Za-z]{49}$/),
      formId,
      slug,
      workspaceId,
      type: 'server',
      name: 'CRM',
      lastFour: made.token.slice(-4),
      createdAt: expect.any(String),
    });
    const { token, ...record } = made;
    const stored = await stack.tokenItem(hashToken(token));
    expect(stored).toEqual({ ...record, tokenHash: hashToken(token), v: 1 });
    expect(JSON.stringify(stored)).not.toContain(token.slice('ingt_srv_'.length, -4));
  });

  test('shows people the token once, and says so, and how to use and revoke it', async () => {
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

  test('shows people that the token no longer works', async () => {
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

  test('does not repeat a token that is passed instead of its id', async () => {
    const run = await onTestStack(['token', 'revoke', 'ingt_srv_0123456789', '--yes']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/Pass the token ID/);
    expect(run.stderr).not.toContain('0123456789');
  });

  test('lists the tokens of a workspace by id and last four characters, without token or hash', async () => {
    const { workspaceId, formId } = await stack.newForm();
    const first = await stack.administration.createToken({ formId, name: 'Backend' });
    const second = await stack.administration.createToken({ formId });
    await stack.administration.revokeToken(second.tokenId);
    const run = await onTestStack(['token', 'list', '--workspace', workspaceId, '--json']);
    expect(JSON.parse(run.stdout)).toEqual([
      {
        tokenId: first.tokenId,
        formId,
        type: 'server',
        name: 'Backend',
        lastFour: first.token.slice(-4),
        createdAt: first.createdAt,
      },
      expect.objectContaining({ tokenId: second.tokenId, revokedAt: expect.any(String) }),
    ]);
    const human = await onTestStack(['token', 'list', '--workspace', workspaceId]);
    expect(human.stdout).toMatch(new RegExp(`^${second.tokenId} +${formId} +….{4} +revoked `, 'm'));
    for (const { token } of [first, second]) expect(human.stdout).not.toContain(token);
  });
});
