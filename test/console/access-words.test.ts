import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import {
  ACTIVITY_WORDS,
  activityTarget,
  activityText,
} from '../../console/src/pages/activity/activity-words.ts';
import { SCOPES, scopeText } from '../../console/src/pages/api-keys/scopes.ts';
import { isAddress } from '../../console/src/pages/team/roles.ts';
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
