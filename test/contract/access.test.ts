import { beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES, type Route } from '../../lambdas/owner-api/route-table.ts';
import { call, newAddress, newOwner, SETTINGS_URL, signIn, type Tokens } from './owner-api.ts';
import { openContract, type Tenant } from './tenant.ts';

// Members and API keys over HTTP, through the gateway and its authorizer.
const contract = openContract();
const OPERATIONS: readonly Route[] = Object.values(ROUTES);
let mine: Tenant;
let theirs: Tenant;
let me: Tokens;

beforeAll(async () => {
  [mine, theirs] = await Promise.all([contract.newTenant(), contract.newTenant()]);
  me = await newOwner(mine);
});

const refused = (detail: string | RegExp) => ({
  status: 401,
  json: { detail: expect.stringMatching(detail) },
});

async function newKey(scopes: readonly string[]): Promise<{ keyId: string; apiKey: string }> {
  return (await call(me.id, 'POST', '/api-keys', { name: 'Zapier', scopes })).json;
}

/** With ids that do not exist: whoever may use the route gets another response than 403. */
const pathOf = (path: string) => path.replace('/settings', '').replace(/\{\w+\}/g, 'some-id');

// API Gateway responds before it asks who sends the request: docs/decisions/0044-one-gateway-route-per-operation.md.
test.each([
  ['GET', '/settings/unknown'],
  ['GET', '/settings/leads/a/b/c'],
  ['GET', '/settings/forms/'],
  ['GET', '/settings/forms//leads'],
  ['PUT', '/settings/forms'],
  ['OPTIONS', '/settings/forms'],
  ['HEAD', '/settings/forms'],
])('%s %s is no route, with any credentials or none', async (method, path) => {
  for (const token of [undefined, 'invalid', me.id]) {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(SETTINGS_URL + path, { method, headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json']);
    expect(await response.text()).toBe(method === 'HEAD' ? '' : '{"message":"Not Found"}');
  }
});

describe('an API key', () => {
  test('reads its workspace and no other', async () => {
    const { apiKey } = await newKey(['forms:read', 'workspace:read']);
    const { json } = await call(apiKey, 'GET', '/forms');
    expect(json.forms.map(({ formId }: { formId: string }) => formId)).toEqual([mine.formId]);
    expect((await call(apiKey, 'GET', `/forms/${theirs.formId}`)).status).toBe(404);
    expect((await call(apiKey, 'GET', '/workspace')).json).not.toHaveProperty('role');
  });

  /** Every route for one scope; route-access.unit.test.ts has every route for every scope. */
  test('reaches only the routes of its scope', async () => {
    const { apiKey } = await newKey(['leads:read']);
    for (const { method, path, scopes } of OPERATIONS) {
      const isOpen = scopes.join() === 'leads:read';
      const { status, json } = await call(apiKey, method, pathOf(path));
      expect([method, path, status === 403]).toEqual([method, path, !isOpen]);
      if (!isOpen) expect(json.detail).toMatch(/scope|API keys can't/);
    }
  });

  test('stops working when it is revoked, and a changed one never works', async () => {
    const { keyId, apiKey } = await newKey(['stats:read']);
    expect((await call(apiKey, 'GET', '/stats')).status).toBe(200);
    const wrong = [apiKey.slice(0, -1), `${apiKey}x`, apiKey.toLowerCase(), `lik_${'0'.repeat(49)}`, 'lik_'];
    for (const each of wrong) expect(await call(each, 'GET', '/stats')).toMatchObject(refused(/^Th(is|e) /));
    expect((await call(me.id, 'DELETE', `/api-keys/${keyId}`)).status).toBe(200);
    expect(await call(apiKey, 'GET', '/stats')).toMatchObject(refused('This API key was revoked.'));
  });
});

test('a viewer changes nothing, becomes an owner with the same token, and is refused with it once removed', async () => {
  const email = newAddress();
  const { memberId } = (await call(me.id, 'POST', '/members', { email, role: 'viewer' })).json;
  const { id } = await signIn(email);
  const { json } = await call(id, 'GET', '/workspace');
  expect(json).toMatchObject({ workspaceId: mine.workspaceId, role: 'viewer' });
  expect((await call(id, 'POST', '/forms', { name: 'By a viewer' })).status).toBe(403);
  expect((await call(me.id, 'PATCH', `/members/${memberId}`, { role: 'owner' })).status).toBe(200);
  expect((await call(id, 'POST', '/forms', { name: 'By a new owner' })).status).toBe(201);
  expect((await call(me.id, 'DELETE', `/members/${memberId}`)).status).toBe(200);
  expect(await call(id, 'GET', '/workspace')).toMatchObject(refused('no longer a member'));
  const { activity } = (await call(me.id, 'GET', '/activity')).json;
  expect(activity.slice(0, 2)).toMatchObject([
    { action: 'DELETE /settings/members/{memberId}' },
    { action: 'POST /settings/forms', actor: { kind: 'user', id: memberId } },
  ]);
});
