import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { hasKeyChecksum, looksLikeApiKey, makeApiKey } from '#access/api-key.ts';
import { makeIngestToken } from '#model/ingest-token.ts';
import { contextOf, principalIn } from '#owner-api/principal.ts';

describe('an API key', () => {
  test('has a prefix, 43 characters and a checksum', () => {
    const key = makeApiKey(randomBytes(32));
    expect(key).toMatch(/^lik_[0-9A-Za-z]{49}$/);
    expect(looksLikeApiKey(key)).toBe(true);
    expect(hasKeyChecksum(key)).toBe(true);
  });

  test.each<[string, (key: string) => string]>([
    ['truncated', (key) => key.slice(0, -1)],
    ['longer', (key) => `${key}0`],
    ['with two characters exchanged', (key) => `${key.slice(0, 10)}${key[11]}!${key.slice(12)}`],
    ['with another character', (key) => key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['without its prefix', (key) => key.slice(4)],
    ['of a server token', () => makeIngestToken('server', randomBytes(32))],
  ])('%s is none', (_, change) => {
    expect(hasKeyChecksum(change(makeApiKey(randomBytes(32))))).toBe(false);
  });
});

describe('what the authorizer passes on', () => {
  test.each([
    { kind: 'user', workspaceId: 'ws_1', id: 'u', name: 'ada@example.com', role: 'viewer' },
    { kind: 'key', workspaceId: 'ws_1', id: 'key_1', name: 'Zapier', scopes: ['leads:read', 'stats:read'] },
    { kind: 'key', workspaceId: 'ws_1', id: 'key_1', name: '', scopes: [] },
  ] as const)('is read as it was: $kind', (principal) => {
    expect(principalIn(contextOf(principal))).toEqual(principal);
  });

  test.each<[string, object | undefined]>([
    ['nothing', undefined],
    ['a user without a role', { role: undefined }],
    ['a user with an unknown role', { role: 'admin' }],
    ['a user without a name', { actorName: undefined }],
    ['a user with the scopes of a key', { role: undefined, scopes: 'leads:read' }],
    ['a key with the role of a user', { actor: 'key:key_1' }],
    ['an unknown kind', { actor: 'admin:1' }],
    ['nobody', { actor: 'user:' }],
    ['no workspace', { workspaceId: '' }],
  ])('%s is nobody', (_, changes) => {
    const context = { workspaceId: 'ws_1', actor: 'user:u', actorName: 'ada@example.com', role: 'owner' };
    expect(principalIn(context)).toBeDefined();
    expect(principalIn(changes && { ...context, ...changes })).toBeUndefined();
  });

  test('unknown scopes are dropped', () => {
    const context = {
      workspaceId: 'w',
      actor: 'key:k',
      actorName: '',
      scopes: 'leads:read admin leads:read2',
    };
    expect(principalIn(context)).toMatchObject({ scopes: ['leads:read'] });
  });
});
