import { describe, expect, test } from '@jest/globals';
import { ROUTE_ACCESS, refusalOf } from '#access/route-access.ts';
import { OPERATIONS } from '../settings/api-document.ts';

const ROUTES = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
const user = { kind: 'user', workspaceId: 'ws_1', id: 'u', name: 'ada@example.com' } as const;

test('every route of the API has an entry, and nothing else', () => {
  expect(Object.keys(ROUTE_ACCESS).sort()).toEqual([...ROUTES].sort());
});

describe.each(ROUTES)('%s', (route) => {
  test('is open to an owner', () => {
    expect(refusalOf({ ...user, role: 'owner' }, route)).toBeUndefined();
  });

  test('is open to a viewer only if it reads', () => {
    const refusal = refusalOf({ ...user, role: 'viewer' }, route);
    if (route.startsWith('GET ')) expect(refusal).toBeUndefined();
    else expect(refusal).toBe('Only an owner of this workspace can do this.');
  });
});

test('a route that is not listed is closed to viewers, even to read', () => {
  expect(refusalOf({ ...user, role: 'viewer' }, 'GET /settings/new')).toBeDefined();
  expect(refusalOf({ ...user, role: 'owner' }, 'GET /settings/new')).toBeUndefined();
});
