import { beforeAll, describe, expect, test } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { ensureOwner, newPassword } from '../../local/demo-workspace.ts';
import { openContract } from '../contract/tenant.ts';
import { localStack } from '../local-stack.ts';
import { rawExchange } from './support/test-gateway.ts';

const { output } = localStack();
const consoleUrl = output(OUTPUTS.consoleUrl);
const settingsUrl = output(OUTPUTS.settingsUrl);
const cognito = output(OUTPUTS.localCognitoEndpoint);
const get = (path: string, init: RequestInit = {}) => fetch(consoleUrl + path, init);

let page: string;
beforeAll(async () => {
  page = await (await get('/')).text();
});

describe('the page', () => {
  test.each(['/', '/forms', '/forms/form_1/leads', '/tokens/', '/settings'])('is behind %s', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toBe(page);
  });

  test('refers only to files that exist, which are cached forever', async () => {
    const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(assets.map((path) => path.split('.').at(-1))).toEqual(expect.arrayContaining(['js', 'css']));
    for (const path of assets) {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/(javascript|css)$/);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  test('has no inline script or style, which its policy would forbid', () => {
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
  });
});

describe('missing files are 404', () => {
  test.each(['/assets/no-such-file.js', '/no-such-file.css', '/index.html/x.js', '/CONFIG.JSON'])(
    '%s',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain('<');
    },
  );

  test.each([
    '/../package.json',
    '/assets/../../manifest.json',
    '/..%2fmanifest.json',
    '/%2e%2e/manifest.json',
    '/assets/..%5c..%5cmanifest.json',
    '//etc/hosts.txt',
    '/index.html%00.js',
  ])('%s, sent unchanged', async (path) => {
    const answer = await rawExchange(
      consoleUrl,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('an invalid path is a bad request', async () => {
    expect((await get('/%E0%A4%A.js')).status).toBe(400);
    const request = 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect(await rawExchange(consoleUrl, request)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('files are read-only', () => {
  test('HEAD has the headers of GET, and no body', async () => {
    const [head, whole] = [await get('/', { method: 'HEAD' }), await get('/')];
    expect(head.status).toBe(200);
    for (const name of ['content-length', 'content-type', 'content-security-policy']) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    }
    expect(await head.text()).toBe('');
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is refused', async (method) => {
    expect((await get('/', { method })).status).toBe(403);
  });
});

describe('every file', () => {
  test.each(['/', '/config.json', '/assets/no-such-file.js'])(
    '%s has the headers of the template',
    async (path) => {
      const { headers } = await get(path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'; /),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'permissions-policy': expect.stringContaining('camera=()'),
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers.has('strict-transport-security')).toBe(false);
    },
  );

  test('may talk to this origin and to the local Cognito, and to nothing on AWS', async () => {
    const policy = (await get('/')).headers.get('content-security-policy');
    expect(policy).toContain(`connect-src 'self' ${cognito};`);
    expect(policy).not.toContain('amazonaws');
  });
});

test('config.json is the stack’s, except for the local Cognito, which has no SRP', async () => {
  const response = await get('/config.json');
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(await response.json()).toEqual({
    stage: 'dev',
    region: output(OUTPUTS.region),
    userPoolId: output(OUTPUTS.userPoolId),
    userPoolClientId: output(OUTPUTS.userPoolClientId),
    cognitoEndpoint: cognito,
    signIn: 'password',
  });
});

test('a browser may call Cognito from the console’s origin', async () => {
  const preflight = await fetch(cognito, {
    method: 'OPTIONS',
    headers: {
      origin: consoleUrl,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-amz-target,x-amz-user-agent',
    },
  });
  expect(preflight.ok).toBe(true);
  expect(preflight.headers.get('access-control-allow-origin')).toBe(consoleUrl);
  expect(preflight.headers.get('access-control-allow-headers')).toBe('*');
});

describe('the settings API under the console’s address', () => {
  let authorization: string;
  beforeAll(async () => {
    const { workspaceId } = await openContract().newTenant();
    const owner = { email: `${workspaceId}@example.com`, password: newPassword(), workspaceId };
    await ensureOwner({ endpoint: cognito, userPoolId: output(OUTPUTS.userPoolId) }, owner);
    const response = await fetch(cognito, {
      method: 'POST',
      headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth' },
      body: JSON.stringify({
        AuthFlow: 'USER_PASSWORD_AUTH',
        ClientId: output(OUTPUTS.userPoolClientId),
        AuthParameters: { USERNAME: owner.email, PASSWORD: owner.password },
      }),
    });
    const { AuthenticationResult } = (await response.json()) as { AuthenticationResult: { IdToken: string } };
    authorization = `Bearer ${AuthenticationResult.IdToken}`;
  });

  /** A response without what belongs to this one request. */
  async function ask(base: string, path: string, init: RequestInit = {}) {
    const response = await fetch(base + path, init);
    const { date, 'apigw-requestid': _, ...headers } = Object.fromEntries(response.headers);
    return { status: response.status, headers, body: await response.text() };
  }

  test.each<[string, string, RequestInit & { token?: boolean }, number]>([
    ['without a token', '/settings/forms', {}, 401],
    ['where there is no such route', '/settings/no/such/route', {}, 404],
    ['with a token', '/settings/stats?by=hour', { token: true }, 200],
    ['with a body', '/settings/forms', { token: true, method: 'POST', body: '{"name":7}' }, 400],
  ])(
    'responds to %s as it does under its own address',
    async (_, path, { token = false, ...init }, status) => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization }) };
      const here = await ask(consoleUrl, path, { ...init, headers });
      expect(here.status).toBe(status);
      expect(here).toEqual(await ask(settingsUrl, path, { ...init, headers }));
      // Those are for pages.
      expect(here.headers).not.toHaveProperty('content-security-policy');
    },
  );
});
