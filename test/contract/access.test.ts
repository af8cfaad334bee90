import { sign } from 'node:crypto';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES, type Route } from '../../lambdas/owner-api/route-table.ts';
import { SCOPES } from '../../lambdas/owner-api/scopes.ts';
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

test('a token that is signed with the key pair of every cognito-local is refused', async () => {
  const { pem } = createRequire(import.meta.url)('cognito-local/lib/keys/cognitoLocal.private.json');
  const [header = '', claims = ''] = me.id.split('.');
  const ofCognitoLocal = Buffer.from('{"alg":"RS256","kid":"CognitoLocal"}').toString('base64url');
  for (const unsigned of [`${header}.${claims}`, `${ofCognitoLocal}.${claims}`]) {
    const signature = sign('RSA-SHA256', Buffer.from(unsigned), pem).toString('base64url');
    expect(await call(`${unsigned}.${signature}`, 'GET', '/forms')).toMatchObject({ status: 401 });
  }
  expect(await call(me.id, 'GET', '/forms')).toMatchObject({ status: 200 });
});

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

  const isOpenTo = (scope: string, { scopes }: Route) => scopes.join() === scope;

  /** Every route for one scope; route-access.test.ts has every route for every scope. */
  test('reaches only the routes of its scope', async () => {
    const { apiKey } = await newKey(['leads:read']);
    for (const route of OPERATIONS) {
      const { method, path } = route;
      const isOpen = isOpenTo('leads:read', route);
      const { status, json } = await call(apiKey, method, pathOf(path));
      expect([method, path, status === 403]).toEqual([method, path, !isOpen]);
      if (!isOpen) expect(json.detail).toMatch(/scope|API keys can't/);
    }
  });

  test.each(SCOPES)('with the scope %s uses a route of it, and none without', async (scope) => {
    const [own, without] = [await newKey([scope]), await newKey(SCOPES.filter((each) => each !== scope))];
    const { method, path } = OPERATIONS.find((each) => isOpenTo(scope, each)) ?? { method: '', path: '' };
    expect((await call(own.apiKey, method, pathOf(path))).status).not.toBe(403);
    expect((await call(without.apiKey, method, pathOf(path))).status).toBe(403);
  });

  test('never reaches members, keys and the activity log, with every scope', async () => {
    const { apiKey } = await newKey(SCOPES);
    const closed = OPERATIONS.filter(({ path }) => /^\/settings\/(members|api-keys|activity)/.test(path));
    expect(closed.length).toBeGreaterThan(6);
    for (const { method, path } of closed) {
      expect([path, (await call(apiKey, method, pathOf(path))).status]).toEqual([path, 403]);
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

describe('a viewer', () => {
  let viewer: Tokens;
  let viewerId: string;

  beforeAll(async () => {
    const email = newAddress();
    viewerId = (await call(me.id, 'POST', '/members', { email, role: 'viewer' })).json.memberId;
    viewer = await signIn(email);
  });

  test('reads everything but keys, and changes nothing', async () => {
    for (const { method, path } of OPERATIONS) {
      const { status, json } = await call(viewer.id, method, pathOf(path));
      const isOpen = method === 'GET' && path !== '/settings/api-keys';
      expect([method, path, status === 403]).toEqual([method, path, !isOpen]);
      if (!isOpen) expect(json.detail).toBe('Only an owner of this workspace can do this.');
    }
    const { json } = await call(viewer.id, 'GET', '/workspace');
    expect(json).toMatchObject({ workspaceId: mine.workspaceId, role: 'viewer' });
  });

  test('becomes an owner with the same token, and is refused with it once removed', async () => {
    const { status } = await call(me.id, 'PATCH', `/members/${viewerId}`, { role: 'owner' });
    expect(status).toBe(200);
    const made = await call(viewer.id, 'POST', '/forms', { name: 'By a new owner' });
    expect(made.status).toBe(201);
    expect((await call(me.id, 'DELETE', `/members/${viewerId}`)).status).toBe(200);
    expect(await call(viewer.id, 'GET', '/workspace')).toMatchObject(refused('no longer a member'));
    const { activity } = (await call(me.id, 'GET', '/activity')).json;
    expect(activity.map(({ action }: { action: string }) => action).slice(0, 2)).toEqual([
      'DELETE /settings/members/{memberId}',
      'POST /settings/forms',
    ]);
    expect(activity[1].actor).toMatchObject({ kind: 'user', id: viewerId });
  });
});
