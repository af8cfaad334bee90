import { afterAll, describe, expect, test } from '@jest/globals';
import { onTestStack, openTestStack, resultOf } from './run-leadctl.ts';

describe('leadctl form provider', () => {
  const stack = openTestStack();
  afterAll(stack.close);

  const secretsOf = (form: { slug: string; formId: string }) => stack.secretItem(form.slug, form.formId);

  test('chooses a provider with its events and a pasted secret, and raises the configuration version', async () => {
    const form = await stack.newForm();
    const before = await stack.configVersion(form.workspaceId);
    const choose = ['form', 'provider', form.formId, 'stripe', '--events', 'customer.created'];
    const secret = 'whsec_of_decent_length';
    const run = await onTestStack([...choose, '--secret-stdin', '--json'], { stdin: `${secret}\n` });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).not.toContain(secret);
    const provider = { name: 'stripe', events: ['customer.created'] };
    expect(JSON.parse(run.stdout)).toMatchObject({
      formId: form.formId,
      provider,
      url: `${stack.outputs.sourcesUrl}/sources/v1/${form.slug}`,
    });
    expect(await stack.formItem(form.slug, form.formId)).toMatchObject({ provider });
    expect(await secretsOf(form)).toMatchObject({ providerSecret: secret });
    expect(await stack.configVersion(form.workspaceId)).toBeGreaterThan(before);
    const [listed] = await resultOf<object[]>(['form', 'list', '--workspace', form.workspaceId]);
    expect(listed).toMatchObject({ provider });
  });

  test('generates a secret and shows it once, with a grace period for the old one', async () => {
    const form = await stack.newForm();
    const provider = ['form', 'provider', form.formId];
    const first = await onTestStack([...provider, 'tally', '--generate-secret']);
    const [, shown] = /^ {2}(\w{43})$/m.exec(first.stdout) ?? [];
    expect(first.stdout).toContain(`takes deliveries of Tally at ${stack.outputs.sourcesUrl}/sources/v1/`);
    expect(await secretsOf(form)).toMatchObject({ providerSecret: shown });
    const second = await onTestStack([...provider, '--generate-secret', '--grace', '24h']);
    expect(second.stdout).toMatch(/^The old secret works until .+Z\.$/m);
    expect(await secretsOf(form)).toMatchObject({ previousProviderSecret: shown });
    const ended = await onTestStack([...provider, '--end-grace']);
    expect(ended.stdout).toBe(`The old secret of form ${form.formId} no longer works.\n`);
    expect(await secretsOf(form)).toMatchObject({ previousProviderSecretUntil: 0 });
    const none = await onTestStack([...provider, '--none']);
    expect(none.stdout).toBe(`Form ${form.formId} (${form.slug}) takes no deliveries of a provider.\n`);
    expect(await secretsOf(form)).not.toHaveProperty('providerSecret');
    expect(await stack.formItem(form.slug, form.formId)).not.toHaveProperty('provider');
  });

  test.each([
    ['nothing', [], 'Pass a provider, --none,', 2],
    ['an unknown provider', ['hubspot'], 'Allowed choices are typeform', 2],
    ['an event of another provider', ['stripe', '--events', 'form_response'], 'must be one of checkout', 2],
    ['a provider and none', ['tally', '--none'], 'Pass --none alone.', 2],
    ['events without a provider', ['--events', 'a'], 'Pass a provider with --events.', 2],
    ['a grace period of no secret', ['tally', '--grace', '1h'], 'Pass --grace with', 2],
  ])('refuses %s', async (_, args, sentence, exitCode) => {
    const form = await stack.newForm();
    const run = await onTestStack(['form', 'provider', form.formId, ...args]);
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(sentence);
    expect(await stack.formItem(form.slug, form.formId)).not.toHaveProperty('provider');
  });

  test('says what is wrong with a secret, without repeating it', async () => {
    const { formId, slug } = await stack.newForm();
    const secret = 'sk_live_0123456789abcdef';
    const paste = ['form', 'provider', formId, 'stripe', '--secret-stdin'];
    const run = await onTestStack(paste, { stdin: secret });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(
      'This is an API key. Enter the signing secret of the Stripe webhook instead',
    );
    expect(run.stderr).not.toContain(secret);
    expect(await stack.formItem(slug, formId)).not.toHaveProperty('provider');
  });
});
