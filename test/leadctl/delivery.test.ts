import { afterAll, describe, expect, test } from '@jest/globals';
import { onTestStack, openTestStack, resultOf } from './run-leadctl.ts';

const stack = openTestStack();
afterAll(stack.close);

const MADE_SECRET = /^whsec_[0-9A-Za-z]{43}$/;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Secret {
  readonly secret: string;
  readonly previousWorksUntil?: string;
}

async function newFormWithSecret() {
  const form = await stack.newForm();
  const { secret } = await stack.administration.setSecret({ formId: form.formId });
  return { ...form, secret, version: await stack.configVersion(form.workspaceId) };
}

test('generates and stores a secret, and raises the configuration version', async () => {
  const { formId, slug, workspaceId } = await stack.newForm();
  const set = await resultOf<Secret>(['secret', 'set', '--form', formId]);
  expect(set).toEqual({ formId, slug, workspaceId, secret: expect.stringMatching(MADE_SECRET) });
  expect(await stack.secretItem(slug, formId)).toMatchObject({ secret: set.secret, workspaceId });
  expect(await stack.configVersion(workspaceId)).toBe(2);
});

test('shows a person the secret once, says so, and what the provider has to do', async () => {
  const { formId, slug } = await stack.newForm();
  const { exitCode, stdout, stderr } = await onTestStack(['secret', 'set', '--form', formId]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.match(/whsec_\w+/g)).toHaveLength(1);
  expect(stdout).toMatch('shown only once');
  expect(stdout).toMatch(`sends JSON by POST to ${stack.outputs.ingestUrl}/api/v1/ingest/${slug}\n`);
});

test('sets your own secret from standard input, and does not repeat it', async () => {
  const { formId, slug, workspaceId, version } = await newFormWithSecret();
  const stdin = 'my own secret, ünïcode\n';
  const set = await resultOf(['secret', 'set', '--form', formId, '--stdin', '--yes'], { stdin });
  expect(set).toEqual({ formId, slug, workspaceId });
  expect(await stack.secretItem(slug, formId)).toMatchObject({ secret: 'my own secret, ünïcode' });
  expect(await stack.configVersion(workspaceId)).toBe(version + 1);
});

test('does not show a person a secret of their own', async () => {
  const { formId } = await stack.newForm();
  const run = await onTestStack(['secret', 'set', '--form', formId, '--stdin'], {
    stdin: 'my-own-secret-0123456789',
  });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toMatch('Set the webhook secret of form');
  expect(run.stdout).not.toContain('0123456789');
});

test.each([
  ['nothing', '', 'is empty'],
  ['something short', 'top-secret', '16 to 200 characters'],
  ['something long', 'top-secret'.repeat(21), '16 to 200 characters'],
  ['white space around it', ' top-secret-0123456789', 'no whitespace around them'],
])('refuses %s on standard input, and changes nothing', async (_, stdin, problem) => {
  const { formId, slug, workspaceId, version, secret } = await newFormWithSecret();
  const run = await onTestStack(['secret', 'set', '--form', formId, '--stdin', '--yes'], { stdin });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(problem);
  expect(run.stderr).not.toContain('top-secret');
  expect(await stack.secretItem(slug, formId)).toMatchObject({ secret });
  expect(await stack.configVersion(workspaceId)).toBe(version);
});

test.each([
  ['as an argument', ['hunter2-hunter2-hunter2']],
  ['as the value of an option', ['--secret', 'hunter2-hunter2-hunter2']],
  ['behind an equals sign', ['--secret=hunter2-hunter2-hunter2']],
  ['behind --stdin', ['--stdin=hunter2-hunter2-hunter2']],
])('takes no secret from the command line %s, and does not repeat it', async (_, args) => {
  const run = await onTestStack(['secret', 'set', '--form', 'form_x', ...args]);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).not.toContain('hunter2');
});

test.each([
  ['set', [], 'at once'],
  ['rotate', [], 'at \\d{4}-\\S+Z'],
  ['rotate', ['--grace', '0'], 'at once'],
])('%s %j asks before it replaces a secret, and says when senders are rejected', async (verb, args, when) => {
  const { formId, slug, workspaceId, version, secret } = await newFormWithSecret();
  const run = await onTestStack(['secret', verb, '--form', formId, ...args]);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(`Add --yes to replace the webhook secret of form ${formId} (Contact us) of `);
  expect(run.stderr).toMatch(
    new RegExp(`Submissions signed with the current secret are rejected ${when}\\.\n$`),
  );
  expect(await stack.secretItem(slug, formId)).toMatchObject({ secret });
  expect(await stack.configVersion(workspaceId)).toBe(version);
});

test('rotates with 24 hours of grace unless told otherwise', async () => {
  const { formId } = await newFormWithSecret();
  const before = Date.now();
  const rotated = await resultOf<Secret>(['secret', 'rotate', '--form', formId, '--yes']);
  const endsAt = Date.parse(rotated.previousWorksUntil ?? '');
  expect(endsAt).toBeGreaterThanOrEqual(before + DAY_MS);
  expect(endsAt).toBeLessThanOrEqual(Date.now() + DAY_MS);
});

test('rotates without grace: the old secret ends at once', async () => {
  const { formId, slug, workspaceId, version, secret } = await newFormWithSecret();
  const rotated = await resultOf<Secret>(['secret', 'rotate', '--form', formId, '--grace', '0', '--yes']);
  expect(rotated).toEqual({ formId, slug, workspaceId, secret: expect.stringMatching(MADE_SECRET) });
  expect(rotated.secret).not.toBe(secret);
  const stored = await stack.secretItem(slug, formId);
  expect(stored).toMatchObject({ secret: rotated.secret });
  // Kept to name a sender that still uses it, and ended for every clock.
  expect(stored).toMatchObject({ previousEndsAtMilliseconds: 0 });
  expect(await stack.configVersion(workspaceId)).toBe(version + 1);
});

test('rotates with a grace period: the old secret works until its end', async () => {
  const { formId, slug, secret } = await newFormWithSecret();
  const before = Date.now();
  const rotated = await resultOf<Secret>(['secret', 'rotate', '--form', formId, '--grace', '7d', '--yes']);
  const endsAtMilliseconds = Date.parse(rotated.previousWorksUntil ?? '');
  expect(endsAtMilliseconds).toBeGreaterThanOrEqual(before + 7 * DAY_MS);
  expect(endsAtMilliseconds).toBeLessThanOrEqual(Date.now() + 7 * DAY_MS);
  expect(await stack.secretItem(slug, formId)).toMatchObject({
    secret: rotated.secret,
    previousSecret: secret,
    previousEndsAtMilliseconds: endsAtMilliseconds,
  });
});

test.each([
  ['0', /^The old secret no longer works\.$/m],
  ['90m', /^The old secret works until \d{4}-\S+Z\.$/m],
])('says what happens to the old secret after --grace %s', async (grace, sentence) => {
  const { formId, secret } = await newFormWithSecret();
  const { stdout } = await onTestStack(['secret', 'rotate', '--form', formId, '--grace', grace, '--yes']);
  expect(stdout).toMatch(sentence);
  expect(stdout).toMatch('shown only once');
  expect(stdout).not.toContain(secret);
});

test.each([
  ['8d', 'The grace period must be between 0 and 7 days.'],
  [
    '12',
    "Option '--grace <duration>' argument '12' is invalid. Use 0, or minutes, hours or days: 90m, 24h, 7d. Add --help for usage.",
  ],
])('refuses a grace period of %s', async (grace, sentence) => {
  const run = await onTestStack(['secret', 'rotate', '--form', 'form_x', '--grace', grace]);
  expect(run).toEqual({ exitCode: 2, stdout: '', stderr: `leadctl: ${sentence}\n` });
});

test.each(['0', '1h'])('does not rotate a secret that was never set (--grace %s)', async (grace) => {
  const { formId, slug, workspaceId } = await stack.newForm();
  const run = await onTestStack(['secret', 'rotate', '--form', formId, '--grace', grace, '--json']);
  expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  expect(JSON.parse(run.stderr)).toEqual({
    error: { code: 'conflict', message: `Form ${formId} has no webhook secret to rotate. Set one first.` },
  });
  expect(await stack.secretItem(slug, formId)).toBeUndefined();
  expect(await stack.configVersion(workspaceId)).toBe(1);
});

test('cannot find an unknown form', async () => {
  const run = await onTestStack(['secret', 'set', '--form', 'form_nobody']);
  expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  expect(run.stderr).toMatch('form_nobody');
});

describe('browser sending', () => {
  const SHOP = 'https://shop.example.com';

  describe('leadctl form browser', () => {
    const stack = openTestStack();
    afterAll(stack.close);

    test('enables browser sending for a list of origins, and raises the configuration version', async () => {
      const { formId, slug, workspaceId } = await stack.newForm();
      const browser = { enabled: true, origins: [SHOP, 'https://*.example.org'] };
      const enable = [
        'form',
        'browser',
        formId,
        '--enable',
        '--origins',
        `${SHOP}/`,
        'https://*.Example.org',
      ];
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
});
