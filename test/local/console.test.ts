import { describe, expect, test } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { VERSION } from '../../lib/version.ts';
import { localStack } from '../local-stack.ts';
import { rawExchange } from './support/test-gateway.ts';

const { output } = localStack();
const consoleUrl = output(OUTPUTS.consoleUrl);
const settingsUrl = output(OUTPUTS.settingsUrl);
const cognito = output(OUTPUTS.localCognitoEndpoint);
const get = (path: string, init: RequestInit = {}) => fetch(consoleUrl + path, init);

const page = await (await get('/')).text();

describe('the page', () => {
  test.each(['/', '/forms', '/forms/form_1/leads', '/tokens/', '/odd.folder/page', '/settings'])(
    'is behind %s',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toBe(page);
    },
  );

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
  test.each(['/assets/no-such-file.js', '/forms/missing.css', '/index.html/x.js', '/CONFIG.JSON'])(
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
    version: VERSION,
    region: output(OUTPUTS.region),
    userPoolId: output(OUTPUTS.userPoolId),
    userPoolClientId: output(OUTPUTS.userPoolClientId),
    cognitoEndpoint: cognito,
    signIn: 'password',
  });
});

describe('the settings API under the console’s address', () => {
  /** A response without what belongs to this one request. */
  async function ask(base: string, path: string, init: RequestInit = {}) {
    const response = await fetch(base + path, init);
    const { date, 'apigw-requestid': _, ...headers } = Object.fromEntries(response.headers);
    return { status: response.status, headers, body: await response.text() };
  }

  // The browser tests show what it does with tokens and bodies.
  test.each<[string, string, RequestInit, number]>([
    ['a request without a token', '/settings/forms?by=hour', {}, 401],
    ['a token that is none', '/settings/forms', { method: 'POST', headers: { authorization: 'x' } }, 401],
    ['what is no route', '/settings/no/such/route', {}, 404],
  ])('responds to %s as it does under its own address', async (_, path, init, status) => {
    const here = await ask(consoleUrl, path, init);
    expect(here.status).toBe(status);
    expect(here).toEqual(await ask(settingsUrl, path, init));
    // Those are for pages.
    expect(here.headers).not.toHaveProperty('content-security-policy');
  });
});
