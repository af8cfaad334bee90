import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import type { SdkManifest } from '../../lib/console-site/build-sdk.ts';
import { readResponseHeaders } from '../../local/console/bucket-files.ts';
import { readEdgeFunction } from '../../local/console/distribution.ts';
import { keepCookies, openOnNextPort } from '../../local/console/serve-console.ts';
import { globPattern } from '../../local/glob.ts';
import { TemplateReader } from '../../local/template.ts';
import { localStack } from '../local-stack.ts';

describe('compression', () => {
  const { output } = localStack();
  const url = output(OUTPUTS.consoleUrl);

  /** Unlike `fetch`, this leaves the body as it was sent. */
  async function get(path: string, acceptEncoding: string | undefined, method = 'GET') {
    const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
    const outgoing = request(url + path, { method, headers });
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { headers: response.headers, body: await buffer(response) };
  }

  async function scriptPath(): Promise<string> {
    const page = await (await fetch(url)).text();
    return /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
  }

  describe('the console', () => {
    test('compresses files for clients that accept gzip', async () => {
      const path = await scriptPath();
      const [plain, compressed] = [await get(path, undefined), await get(path, 'gzip, deflate, br')];
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(compressed.headers['content-encoding']).toBe('gzip');
      expect(compressed.body.length).toBeLessThan(plain.body.length / 2);
      expect(gunzipSync(compressed.body)).toEqual(plain.body);
      for (const { headers } of [plain, compressed]) expect(headers.vary).toBe('Accept-Encoding');
    });

    test.each([
      ['small files', '/config.json'],
      ['missing files', '/assets/no-such-file.js'],
      ['responses of the API', '/settings/no/such/route'],
    ])('does not compress %s', async (_, path) => {
      const { headers } = await get(path, 'gzip');
      expect(headers['content-encoding']).toBeUndefined();
    });
  });
});

describe('the SDK', () => {
  const url = `${localStack().output(OUTPUTS.consoleUrl)}/sdk`;

  test('has immutable addresses with integrity hashes, which pages of other origins can load', async () => {
    const manifest = (await (await fetch(`${url}/v1.json`)).json()) as SdkManifest;
    for (const { file, integrity } of [manifest.script, manifest.module]) {
      const response = await fetch(`${url}/${file}`);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/javascript',
        'cache-control': 'public, max-age=31536000, immutable',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
      const digest = createHash('sha384').update(await response.bytes());
      expect(integrity).toBe(`sha384-${digest.digest('base64')}`);
    }
  });

  test('has a fixed address that is revalidated', async () => {
    const { status, headers } = await fetch(`${url}/v1.js`);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
  });
});

describe('cookies that CloudFront does not forward', () => {
  const incoming = () => ({
    headers: { cookie: 'theme=dark; __Host-session=a=b', accept: '*/*' },
    rawHeaders: ['Cookie', 'theme=dark', 'Accept', '*/*', 'cookie', '__Host-session=a=b'],
  });

  test('are removed, the others kept', () => {
    const request = incoming();
    keepCookies(request, new Set(['__Host-session']));
    expect(request).toEqual({
      headers: { accept: '*/*', cookie: '__Host-session=a=b' },
      rawHeaders: ['Accept', '*/*', 'cookie', '__Host-session=a=b'],
    });
  });

  test('leave no header if none is kept', () => {
    const request = incoming();
    keepCookies(request, new Set());
    expect(request).toEqual({ headers: { accept: '*/*' }, rawHeaders: ['Accept', '*/*'] });
  });
});

describe('the console listens', () => {
  /** Its address as long as `use` runs. */
  async function whileOpen(port: number, use: (url: string) => void): Promise<void> {
    const gateway = await openOnNextPort(port);
    use(gateway.url);
    await gateway.close();
  }

  test('on the port after the ingest port, or on another one if that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await whileOpen(port - 1, (url) => expect(url).not.toBe(`http://127.0.0.1:${port}`));
    other.close();
    await once(other, 'close');
    await whileOpen(port - 1, (url) => expect(url).toBe(`http://127.0.0.1:${port}`));
  });
});

describe('unsupported configuration fails at the start instead of behaving differently from AWS', () => {
  const resource = (Properties: Record<string, unknown>) => {
    const reader = new TemplateReader({ Resources: { It: { Type: 'T', Properties } } }, 'S');
    return reader.resources('T')[0] as NonNullable<ReturnType<TemplateReader['resources']>[0]>;
  };

  test.each([
    ['XSSProtection', { SecurityHeadersConfig: { XSSProtection: {} } }],
    [
      'CORS for https://a.example',
      { CorsConfig: { AccessControlAllowOrigins: { Items: ['https://a.example'] } } },
    ],
  ])('%s in the headers', (what, ResponseHeadersPolicyConfig) => {
    const policy = resource({ ResponseHeadersPolicyConfig });
    expect(() => readResponseHeaders(policy, new Map())).toThrow(`${what} is not supported`);
  });

  test('a function that returns its own response', () => {
    const code = 'function handler() { return { statusCode: 302 }; }';
    expect(() => readEdgeFunction(resource({ FunctionCode: code }))('GET', '/')).toThrow('did not return');
  });

  test('a function cannot reach anything of this process', () => {
    const code =
      'function handler(event) { event.request.uri = typeof process + typeof require; return event.request; }';
    expect(readEdgeFunction(resource({ FunctionCode: code }))('GET', '/')).toBe('undefinedundefined');
  });
});

test.each([
  ['/settings/*', '/settings/forms/a', true],
  ['/settings/*', '/settings', false],
  ['/settings/*', '/Settings/forms', false],
  ['assets/*', 'assets/deep/file.js', true],
  ['*', '', true],
  ['*.js', 'a.jsx', false],
  ['a?c', 'abc', true],
  ['a.c', 'abc', false],
])('the pattern %s and %s: %s', (glob, path, expected) => {
  expect(globPattern(glob).test(path)).toBe(expected);
});
