import { describe, expect, test } from '@jest/globals';
import { isChange, ROUTE_ACCESS, refusalOf } from '#owner-api/route-access.ts';
import { SCOPES } from '#owner-api/scopes.ts';
import { DOCUMENT, OPERATIONS } from './api-document.ts';

const ROUTES = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
const user = { kind: 'user', workspaceId: 'ws_1', id: 'u', name: 'ada@example.com' } as const;
const key = { kind: 'key', workspaceId: 'ws_1', id: 'key_1', name: 'Zapier' } as const;

/** The few routes that viewers may not even read, and those that no key may use. */
const OWNERS_ONLY = new Set(['GET /settings/api-keys']);
const NO_KEYS = /^\/settings\/(members|api-keys|activity)/;

test('every route of the API has an entry, and nothing else', () => {
  expect(Object.keys(ROUTE_ACCESS).sort()).toEqual([...ROUTES].sort());
});

test('the document lists every scope, and every scope opens something', () => {
  const { schemas } = DOCUMENT.components as { schemas: { Scope: { enum: string[] } } };
  expect(schemas.Scope.enum).toEqual([...SCOPES]);
  const used = new Set(Object.values(ROUTE_ACCESS).flatMap(({ scopes }) => scopes));
  expect(SCOPES.filter((scope) => !used.has(scope))).toEqual([]);
});

describe.each(OPERATIONS)('$method $path', ({ method, path }) => {
  const route = `${method} ${path}`;
  const scopes = ROUTE_ACCESS[route]?.scopes ?? [];

  test('is open to an owner', () => {
    expect(refusalOf({ ...user, role: 'owner' }, route)).toBeUndefined();
  });

  test('is open to a viewer only if it reads', () => {
    const refusal = refusalOf({ ...user, role: 'viewer' }, route);
    if (method === 'GET' && !OWNERS_ONLY.has(route)) expect(refusal).toBeUndefined();
    else expect(refusal).toBe('Only an owner of this workspace can do this.');
  });

  test('is open to a key only with its scopes', () => {
    if (scopes.length === 0) {
      expect(refusalOf({ ...key, scopes: SCOPES }, route)).toBe(
        "API keys can't use this. Sign in as an owner.",
      );
      expect(path).toMatch(NO_KEYS);
      return;
    }
    for (const scope of scopes) {
      const others = SCOPES.filter((each) => each !== scope);
      expect(refusalOf({ ...key, scopes: others }, route)).toBe(`This API key needs the scope ${scope}.`);
    }
    expect(refusalOf({ ...key, scopes }, route)).toBeUndefined();
    expect(path).not.toMatch(NO_KEYS);
  });

  test('needs a scope that says what it does', () => {
    if (scopes[0] !== undefined) expect(scopes[0].endsWith(':read')).toBe(method === 'GET');
  });

  test('has the same scopes in the document', () => {
    const operation = DOCUMENT.paths[path]?.[method.toLowerCase()] as { security?: unknown } | undefined;
    const ofKey = scopes.length === 0 ? [] : [{ apiKey: scopes }];
    expect(operation?.security).toEqual([{ idToken: [] }, ...ofKey]);
  });
});

test('a route that is not listed is closed to viewers and keys, even to read', () => {
  const route = 'GET /settings/new';
  expect(refusalOf({ ...user, role: 'viewer' }, route)).toBeDefined();
  expect(refusalOf({ ...key, scopes: SCOPES }, route)).toBeDefined();
  expect(refusalOf({ ...user, role: 'owner' }, route)).toBeUndefined();
});

test('everything but reading and the debugger is a change, also a route that is not listed', () => {
  const unlogged = ROUTES.filter((route) => !route.startsWith('GET ') && !isChange(route));
  expect(unlogged).toEqual(['POST /settings/forms/{formId}/delivery/debug']);
  expect(isChange('POST /settings/new')).toBe(true);
  expect(isChange('GET /settings/forms')).toBe(false);
});
