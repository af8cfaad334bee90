import { afterAll, describe, expect, test } from '@jest/globals';
import { onTestStack, openTestStack, resultOf } from './run-leadctl.ts';

const SHOP = 'https://shop.example.com';

describe('leadctl form browser', () => {
  const stack = openTestStack();
  afterAll(stack.close);

  test('enables browser sending for a list of origins, and raises the configuration version', async () => {
    const { formId, slug, workspaceId } = await stack.newForm();
    const browser = { enabled: true, origins: [SHOP, 'https://*.example.org'] };
    const enable = ['form', 'browser', formId, '--enable', '--origins', `${SHOP}/`, 'https://*.Example.org'];
    expect(await resultOf(enable)).toEqual({ formId, slug, workspaceId, browser });
    expect(await stack.formItem(slug, formId)).toMatchObject({ browser, name: 'Contact us' });
    expect(await stack.configVersion(workspaceId)).toBe(2);
    const [listed] = await resultOf<object[]>(['form', 'list', '--workspace', workspaceId]);
    expect(listed).toMatchObject({ browser });
  });

  test('shows people what the form does now, and keeps what is not mentioned', async () => {
    const { formId, slug, workspaceId } = await stack.newForm();
    const run = async (...options: string[]) => {
      const { stdout } = await onTestStack(['form', 'browser', formId, ...options]);
      return stdout.replace(`Form ${formId} (${slug}) `, '');
    };
    expect(await run('--enable')).toBe(
      'still rejects leads from browsers: no origin is allowed. Pass --origins.\n',
    );
    expect(await run('--origins', SHOP)).toBe(`accepts leads from pages of ${SHOP}.\n`);
    const { stdout } = await onTestStack(['form', 'list', '--workspace', workspaceId]);
    expect(stdout).toMatch(new RegExp(`^${formId} +${slug} +active +forever +1 origin +`, 'm'));
    expect(await run('--disable')).toBe(`rejects leads from browsers. Allowed once enabled: ${SHOP}.\n`);
    expect(await run('--no-origins')).toBe('rejects leads from browsers.\n');
    expect(await stack.formItem(slug, formId)).toMatchObject({ browser: { enabled: false, origins: [] } });
  });

  test.each<[string, readonly string[], RegExp]>([
    ['nothing', [], /Pass --enable, --disable, --origins or --no-origins\./],
    ['both', ['--enable', '--disable'], /not both/],
    [
      'a host without a scheme',
      ['--origins', 'example.com'],
      /The origin example\.com must start with https/,
    ],
    ['a page', ['--origins', SHOP, `${SHOP}/contact`], /\/contact must be an origin without a path/],
    ['a public suffix', ['--origins', 'https://*.github.io'], /github\.io is too broad/],
    ['an origin twice', ['--origins', SHOP, `${SHOP}/`], /is listed twice/],
    [
      'too many origins',
      ['--origins', ...Array.from({ length: 21 }, (_, n) => `https://s${n}.example.com`)],
      /The list of origins can have at most 20 entries\./,
    ],
  ])('changes nothing if it is given %s', async (_what, options, message) => {
    const { formId, slug } = await stack.newForm();
    const run = await onTestStack(['form', 'browser', formId, ...options]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(message);
    expect(await stack.formItem(slug, formId)).not.toHaveProperty('browser');
  });

  test('cannot find an unknown form', async () => {
    const run = await onTestStack(['form', 'browser', 'form_nobody', '--enable']);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain('form_nobody');
  });
});
