import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import type { ListedForm, Token } from '../../console/src/api/types.ts';
import { ACTIVITY_WORDS, activityTarget } from '../../console/src/pages/activity/activity-words.ts';
import { keyCommand, SCOPES } from '../../console/src/pages/api-keys/scopes.ts';
import { tokenState } from '../../console/src/pages/tokens/tokens.ts';
import { SCOPES as ALL_SCOPES } from '../../lambdas/owner-api/scopes.ts';
import { readApiDocument } from '../api-documents.ts';

const document = readApiDocument<{ paths: Record<string, Record<string, unknown>> }>('settings');

/** All but reading a lead, which is not in the log. */
const CHANGES = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.keys(operations)
    .filter((method) => ['put', 'post', 'patch', 'delete'].includes(method))
    .map((method) => `${method.toUpperCase()} ${path}`)
    .filter((change) => change !== 'POST /settings/leads/opened'),
);

describe('activity', () => {
  test('has words for every change that the API document lists', () => {
    expect(CHANGES.length).toBeGreaterThan(15);
    expect(CHANGES.filter((change) => !(change in ACTIVITY_WORDS))).toEqual([]);
  });

  const NAMES = {
    forms: new Map([['form_1', 'Contact us']]),
    destinations: new Map([['dest_1', 'CRM']]),
    members: new Map([['mem_1', 'ada@example.com']]),
    tokens: new Map([['tok_1', 'Web shop']]),
    keys: undefined,
  };

  test.each([
    [{ formId: 'form_1' }, { text: 'Contact us', href: '/forms/form_1' }],
    [{ formId: 'form_2' }, { text: 'Deleted form' }],
    [{ destinationId: 'dest_1' }, { text: 'CRM', href: '/destinations/dest_1' }],
    [{ destinationId: 'dest_2' }, { text: 'Deleted destination' }],
    [{ messageId: 'msg_1_0189_accepted' }, { text: 'CRM', href: '/destinations/dest_1' }],
    [{ memberId: 'mem_1' }, { text: 'ada@example.com', href: '/team' }],
    [{ memberId: 'mem_2' }, { text: 'Former member' }],
    [
      { tokenId: 'tok_1', formId: 'form_1' },
      { text: 'Web shop', href: '/tokens' },
    ],
    [{ keyId: 'key_1' }, { text: 'API key', href: '/api-keys' }],
    [{ alertId: 'a' }, { text: 'Alert', href: '/alerts?alert=a' }],
    [{ leadId: 'l' }, { text: 'Lead' }],
    [
      { submissionId: 'l', formId: 'form_1' },
      { text: 'Lead in Contact us', href: '/forms/form_1/leads/l' },
    ],
    [{}, undefined],
  ])('names what was changed, without IDs: %j', (targets, expected) => {
    expect(activityTarget(targets, NAMES)).toEqual(expected);
  });
});

test('every scope can be chosen', () => {
  expect(SCOPES.map(({ scope }) => scope).sort()).toEqual([...ALL_SCOPES].sort());
});

test('the command that checks an API key is parsed by a shell as written', () => {
  const said = keyCommand('https://x.example', 'lik_abc').replace('curl', `printf '%s\\n'`);
  expect(execFileSync('sh', ['-c', said], { encoding: 'utf8' }).trim().split('\n')).toEqual([
    'https://x.example/settings/leads?limit=1',
    '-H',
    'Authorization: Bearer lik_abc',
  ]);
  expect(keyCommand('https://x.example')).toContain('YOUR_API_KEY');
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
