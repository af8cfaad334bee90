import { describe, expect, test } from '@jest/globals';
import {
  endpointOf,
  fallbackUrlOf,
  PAGE_SNIPPETS,
  pageFields,
  readSdkScript,
} from '../../console/src/pages/delivery/browser/page-snippets.ts';
import { ownSecretProblem, previousUse } from '../../console/src/pages/delivery/delivery-rules.ts';
import { ownSecret } from '../../lambdas/workspaces/delivery-routes.ts';
import { webhookUrl } from '../../lambdas/workspaces/views.ts';
import { buildSdk } from '../../lib/console-site/build-sdk.ts';
import { snippet } from '../browser/browser-snippets.ts';

describe("an owner's own secret", () => {
  test.each([
    'x'.repeat(15),
    'x'.repeat(16),
    'x'.repeat(200),
    'x'.repeat(201),
    ` ${'x'.repeat(20)}`,
    `${'x'.repeat(20)}\n`,
    '🙂'.repeat(16),
    '🙂'.repeat(8),
    '',
  ])('is validated like in the settings API: %j', (secret) => {
    const taken = () => ownSecret(secret);
    if (ownSecretProblem(secret) === undefined) expect(taken()).toBe(secret);
    else expect(taken).toThrow();
  });
});

describe('the grace of a rotation', () => {
  test.each([
    [undefined, 'never'],
    ['2026-01-01T11:59:59.999Z', 'before'],
    ['2026-01-01T12:00:00.000Z', 'still'],
    ['2026-01-02T00:00:00.000Z', 'still'],
  ])('reports whether the previous secret is in use: %s is %s', (lastUsedAt, use) => {
    expect(previousUse('2026-01-01T12:00:00.000Z', lastUsedAt)).toBe(use);
  });
});

const AT = {
  api: 'https://leads.example.net',
  console: 'https://console.example.net',
  site: 'https://shop.example.net',
  slug: 'contact-us-7f3k',
};
const INPUT = {
  endpoint: AT.api,
  sdkUrl: `${AT.console}/sdk`,
  slug: AT.slug,
  fallbackUrl: `${AT.site}/contact`,
  fields: pageFields([]),
};
const write = (id: string, input: Partial<Parameters<(typeof PAGE_SNIPPETS)[number]['write']>[0]> = {}) =>
  PAGE_SNIPPETS.find((each) => each.id === id)?.write({ ...INPUT, ...input });

describe('the code for a page', () => {
  test.each([
    ['html', 'html'],
    ['react', 'jsx'],
    ['fetch', 'js'],
  ] as const)('is the example of the documentation: %s', (id, language) => {
    expect(write(id)).toBe(snippet(language, AT));
  });

  test('names the exact file and its integrity hash, as the SDK states them', () => {
    const { manifest } = buildSdk();
    const script = readSdkScript(JSON.parse(JSON.stringify(manifest)));
    expect(script).toEqual(manifest.script);
    expect(write('html', { script })).toContain(
      `<script src="${AT.console}/sdk/${manifest.script.file}" integrity="${manifest.script.integrity}" crossorigin data-endpoint="${AT.api}" defer></script>`,
    );
  });

  test.each([
    undefined,
    null,
    'v1.js',
    {},
    { script: null },
    { script: { file: 'v1-0.js' } },
    { script: { file: 'v1-0.js', integrity: 7 } },
    { script: { file: 'https://elsewhere.example/v1-0.js', integrity: 'sha384-AAAA' } },
    { script: { file: 'v1-0.js', integrity: 'none' } },
  ])('names no file if the manifest is %j', (manifest) => {
    expect(readSdkScript(manifest)).toBeUndefined();
  });

  test('sends to the service of the webhook URL', () => {
    expect(endpointOf(webhookUrl('https://leads.example.com', AT.slug))).toBe('https://leads.example.com');
    expect(endpointOf(webhookUrl('https://api.example.com/prod', AT.slug))).toBe(
      'https://api.example.com/prod',
    );
  });

  test('goes to a page of the first site without JavaScript', () => {
    expect(fallbackUrlOf(['https://*.example.org', 'https://a.example', 'https://b.example'])).toBe(
      'https://a.example/contact',
    );
    expect(fallbackUrlOf(['https://*.example.org'])).toBe('https://www.example.com/contact');
  });
});

describe('the fields of a page', () => {
  test('are those of the form, with what browsers know about them', () => {
    const fields = [
      { key: 'work_email' },
      { key: 'tel', label: 'Call me at' },
      { key: 'x1', role: 'company' },
      { key: 'comment' },
      { key: 'budget' },
      { key: 'trap', role: 'honeypot' },
      { key: '_test' },
    ] as const;
    expect(pageFields(fields)).toEqual([
      { key: 'work_email', label: 'Work email', type: 'email', autocomplete: 'email', required: true },
      { key: 'tel', label: 'Call me at', type: 'tel', autocomplete: 'tel' },
      { key: 'x1', label: 'X1', autocomplete: 'organization' },
      { key: 'comment', label: 'Comment', isLong: true },
      { key: 'budget', label: 'Budget' },
    ]);
  });

  test('are none that only a program fills in', () => {
    const keys = ['_gotcha', 'website_confirm', 'form_elapsed_ms', '_test'];
    expect(pageFields([...keys, 'company'].map((key) => ({ key })))).toEqual([
      { key: 'company', label: 'Company', autocomplete: 'organization' },
    ]);
  });

  test.each(['consent_email_marketing', 'emails_per_month', 'username'])(
    'accept any text if only a part of the key looks familiar: %s',
    (key) => {
      expect(pageFields([{ key }])).toEqual([{ key, label: expect.any(String) }]);
    },
  );
});
