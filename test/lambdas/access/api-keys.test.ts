import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { makeApiKey } from '#access/api-key.ts';
import { makeApiKeyLookup } from '#access/api-keys-store.ts';
import { type AuthorizeDependencies, makeAuthorize } from '#access/authorize/handler.ts';
import { makeMemberLookup } from '#access/members-store.ts';
import { hashToken } from '#model/ingest-token.ts';
import { until } from '../../until.ts';
import { openOwnerFixture } from '../owner-api/owner-fixture.ts';

const fixture = openOwnerFixture(Date.parse('2026-11-16T10:00:00Z'));
const MINUTE = 60_000;
const owner = await fixture.newOwner();
const lines: string[] = [];

const context = { client: fixture.observer, tables: fixture.stack.tables, now: () => fixture.clock.now };

async function authorize(authorization: string, changes: Partial<AuthorizeDependencies> = {}) {
  const ask = makeAuthorize({
    idTokens: { verify: async () => undefined },
    members: makeMemberLookup(context),
    apiKeys: makeApiKeyLookup(context),
    write: (line) => void lines.push(line),
    ...changes,
  });
  return ask({ headers: { authorization }, requestContext: { requestId: 'r' } });
}

async function newKey(scopes: readonly string[] = ['leads:read']) {
  const { body } = await owner.post('/api-keys', { body: { name: 'Zapier', scopes } });
  return body as { keyId: string; apiKey: string };
}

const itemOf = (apiKey: string) => fixture.itemOf('apiKeys', { keyHash: hashToken(apiKey) });

test('a key says whose it is and what it may do', async () => {
  const { keyId, apiKey } = await newKey(['leads:read', 'stats:read']);
  expect(await authorize(`Bearer ${apiKey}`)).toEqual({
    isAuthorized: true,
    context: {
      workspaceId: owner.workspaceId,
      actor: `key:${keyId}`,
      actorName: 'Zapier',
      scopes: 'leads:read stats:read',
    },
  });
});

test('only the hash of a key is stored', async () => {
  const { apiKey } = await newKey();
  const item = await itemOf(apiKey);
  expect(item).toMatchObject({ name: 'Zapier', scopes: ['leads:read'], createdBy: 'ada@example.com', v: 1 });
  expect(JSON.stringify(item)).not.toContain(apiKey.slice(4));
});

describe('is refused', () => {
  test.each<[string, string, () => Promise<string> | string]>([
    ['a key that nobody made', 'unknown_key', () => makeApiKey(randomBytes(32))],
    ['a truncated key', 'malformed_key', async () => (await newKey()).apiKey.slice(0, -3)],
    ['the hash of a key', 'invalid_token', async () => hashToken((await newKey()).apiKey)],
    [
      'a revoked key',
      'revoked_key',
      async () => {
        const { keyId, apiKey } = await newKey();
        expect(await authorize(apiKey)).toMatchObject({ isAuthorized: true });
        await owner.delete(`/api-keys/${keyId}`);
        return apiKey;
      },
    ],
  ])('%s', async (_, reason, make) => {
    expect(await authorize(`Bearer ${await make()}`)).toEqual({
      isAuthorized: true,
      context: { refusal: reason },
    });
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ code: 'access.refused', reason });
  });
});

describe('the last use', () => {
  test('is written down at most once in ten minutes', async () => {
    const { apiKey } = await newKey();
    expect(await itemOf(apiKey)).not.toHaveProperty('lastUsedAt');
    const use = async (afterMinutes: number) => {
      fixture.clock.now += afterMinutes * MINUTE;
      await authorize(apiKey);
      return (await itemOf(apiKey))?.lastUsedAt;
    };
    const first = new Date(fixture.clock.now).toISOString();
    expect(await use(0)).toBe(first);
    expect(await use(9)).toBe(first);
    expect(await use(1)).toBe(new Date(fixture.clock.now).toISOString());
  });

  test('is shown to the owner', async () => {
    const { keyId, apiKey } = await newKey();
    await authorize(apiKey);
    const listed = await until(
      async () => (await owner.get('/api-keys')).body.apiKeys as Record<string, unknown>[],
      (keys) => keys.some((each) => each.keyId === keyId && each.lastUsedAt !== undefined),
    );
    expect(listed.find((each) => each.keyId === keyId)).not.toHaveProperty('keyHash');
  });

  test('is no reason to refuse a request if it cannot be written', async () => {
    const { apiKey } = await newKey();
    const apiKeys = makeApiKeyLookup(context);
    const failing = { ...apiKeys, noteUse: () => Promise.reject(new Error('throttled')) };
    expect(await authorize(apiKey, { apiKeys: failing })).toMatchObject({ isAuthorized: true });
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 'WARN', code: 'access.use_not_noted' });
  });
});

test('revoking twice keeps the first date', async () => {
  const { keyId } = await newKey();
  const first = await owner.delete(`/api-keys/${keyId}`);
  fixture.clock.now += MINUTE;
  expect(await owner.delete(`/api-keys/${keyId}`)).toMatchObject({ status: 200, body: first.body });
});

test.each([
  { name: 'Zapier', scopes: [] },
  { name: 'Zapier', scopes: ['admin'] },
  { name: 'Zapier', scopes: ['leads:read', 'leads:read'] },
  { name: ' ', scopes: ['leads:read'] },
])('%j makes no key', async (body) => {
  expect((await owner.post('/api-keys', { body })).status).toBe(400);
});

test('a workspace has at most 50 keys that are not revoked', async () => {
  const many = await fixture.newOwner();
  const body = { name: 'n', scopes: ['stats:read'] };
  const made = await Promise.all(Array.from({ length: 50 }, () => many.post('/api-keys', { body })));
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
  await until(
    async () => (await many.get('/api-keys')).body.apiKeys.length as number,
    (count) => count === 50,
  );
  expect((await many.post('/api-keys', { body })).status).toBe(409);
});

test('no key is logged', () => {
  expect(lines.join() + fixture.logLines.join()).not.toMatch(/lik_[0-9A-Za-z]/);
});
