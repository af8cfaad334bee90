import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { ListedForm, Token } from '../../console/src/api/types.ts';
import {
  ACTIVITY_WORDS,
  activityTarget,
  activityText,
} from '../../console/src/pages/activity/activity-words.ts';
import { SCOPES, scopeText } from '../../console/src/pages/api-keys/scopes.ts';
import { isAddress } from '../../console/src/pages/team/roles.ts';
import { curlLine, isRecentlyUsed, tokenState, tokenUrl } from '../../console/src/pages/tokens/tokens.ts';
import { SCOPES as ALL_SCOPES } from '../../lambdas/owner-api/scopes.ts';

const document = parse(
  readFileSync(new URL('../../docs/api/settings.openapi.yaml', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, unknown>> };

const CHANGES = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.keys(operations)
    .filter((method) => ['put', 'post', 'patch', 'delete'].includes(method))
    .map((method) => `${method.toUpperCase()} ${path}`),
);

describe('activity', () => {
  test('has words for every change that the API document lists', () => {
    expect(CHANGES.length).toBeGreaterThan(15);
    expect(CHANGES.filter((change) => !(change in ACTIVITY_WORDS))).toEqual([]);
  });

  test('shows the route if it is newer than the page', () => {
    expect(activityText('POST /settings/dances')).toBe('POST /settings/dances');
  });

  test.each([
    [{ formId: 'form_1' }, { text: 'Contact us', href: '/forms/form_1' }],
    [{ formId: 'form_2' }, { text: 'form_2', href: '/forms/form_2' }],
    [{ destinationId: 'dst_1' }, { text: 'dst_1', href: '/destinations/dst_1' }],
    [{ memberId: 'm1' }, { text: 'm1', href: '/team' }],
    [{ tokenId: 'tok_1' }, { text: 'tok_1' }],
    [{}, undefined],
  ])('names what was changed: %j', (targets, expected) => {
    expect(activityTarget(targets, new Map([['form_1', 'Contact us']]))).toEqual(expected);
  });
});

test('every scope can be chosen', () => {
  expect(SCOPES.map(({ scope }) => scope).sort()).toEqual([...ALL_SCOPES].sort());
});

test('scopes are in plain words, and unknown ones as they are', () => {
  expect(new Set(SCOPES.map(({ text }) => text)).size).toBe(SCOPES.length);
  expect(scopeText('leads:read')).toBe('Read and export leads');
  expect(scopeText('dances:write')).toBe('dances:write');
});

test.each([
  ['ada@example.com', true],
  ['ada@example', false],
  ['ada example.com', false],
  ['', false],
])('%j as an address: %s', (text, expected) => {
  expect(isAddress(text)).toBe(expected);
});

describe('the command that sends a first lead', () => {
  test('goes to the address for tokens', () => {
    expect(tokenUrl('https://x.example/api/v1/ingest/contact-us-1')).toBe('https://x.example/api/v1/ingest');
  });

  test('is parsed by a shell as written', () => {
    const url = "https://x.example/it's $HOME";
    const said = curlLine(url, 'ingt_srv_abc').replace('curl', `printf '%s\\n'`);
    const words = execFileSync('sh', ['-c', said], { encoding: 'utf8' }).split('\n');
    expect(words).toEqual([
      '-i',
      url,
      '-H',
      'Authorization: Bearer ingt_srv_abc',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"name":"Ada Byron","email":"ada.byron@example.com"}',
      '',
    ]);
  });
});

describe('the state of a token', () => {
  const token = { formId: 'f1', type: 'server' } as Token;
  const forms = (active: boolean, archivedAt?: string) =>
    new Map([['f1', { formId: 'f1', active, archivedAt } as ListedForm]]);

  test.each([
    ['works', token, forms(true)],
    ['revoked', { ...token, revokedAt: '2026-11-15T12:00:00Z' }, forms(true)],
    ['wrong type', { ...token, type: 'browser' } as Token, forms(true)],
    ['form archived', token, new Map()],
    ['form archived', token, forms(false, '2026-11-15T12:00:00Z')],
    ['form off', token, forms(false)],
  ])('is: %s', (state, given, known) => {
    expect(tokenState(given, known)).toBe(state);
  });
});

test('a token counts as used for a day', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');
  expect(isRecentlyUsed({ lastUsedAt: '2026-11-14T12:00:01Z' }, now)).toBe(true);
  expect(isRecentlyUsed({ lastUsedAt: '2026-11-14T12:00:00Z' }, now)).toBe(false);
  expect(isRecentlyUsed({ lastUsedAt: undefined }, now)).toBe(false);
});
