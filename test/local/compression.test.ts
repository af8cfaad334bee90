import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { compress, type Encoding, readEncodings } from '../../local/console/compression.ts';
import type { Answer } from '../../local/gateway/gateway-responses.ts';
import { localStack } from '../local-stack.ts';

const CACHING_OPTIMIZED = '658327ea-f89d-4fab-a63d-7e88639e58f6';
const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const BOTH: readonly Encoding[] = ['br', 'gzip'];

const BODY = Buffer.from('export const letters = "abc";\n'.repeat(100));
const script = (answer: Partial<Answer> = {}): Answer => ({
  statusCode: 200,
  headers: [['content-type', 'text/javascript']],
  body: BODY,
  ...answer,
});
const asking = (acceptEncoding?: string, httpVersion = '1.1') => ({
  headers: acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding },
  httpVersion,
});

describe('what is sent', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['GZIP;q=0.5', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ])('to whoever accepts %s is in %s', async (accepted, encoding, decompress) => {
    const { headers, body } = await compress(script(), asking(accepted), BOTH);
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'text/javascript',
      vary: 'Accept-Encoding',
      'content-encoding': encoding,
    });
    expect(body.length).toBeLessThan(BODY.length / 10);
    expect(decompress(body)).toEqual(BODY);
  });

  test.each([
    ['accepts nothing', asking()],
    ['accepts something else', asking('deflate, identity')],
    ['speaks HTTP 1.0', asking('gzip', '1.0')],
  ])('to whoever %s is as it is, and says that it depends', async (_, incoming) => {
    const { headers, body } = await compress(script(), incoming, BOTH);
    expect(body).toBe(BODY);
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'text/javascript',
      vary: 'Accept-Encoding',
    });
  });

  test.each([
    ['of another type', script({ headers: [['content-type', 'font/woff2']] })],
    ['of no type', script({ headers: [] })],
    ['too small', script({ body: Buffer.alloc(999) })],
    ['too large', script({ body: Buffer.alloc(10_000_001) })],
    [
      'compressed already',
      script({
        headers: [
          ['content-type', 'text/javascript'],
          ['Content-Encoding', 'gzip'],
        ],
      }),
    ],
    ['neither a file nor the lack of one', script({ statusCode: 500 })],
  ])('is left alone if it is %s', async (_, answer) => {
    expect(await compress(answer, asking('br, gzip'), BOTH)).toBe(answer);
  });

  test.each([1_000, 10_000_000])('is compressed if it has %i bytes', async (bytes) => {
    const answer = script({ body: Buffer.alloc(bytes) });
    expect((await compress(answer, asking('gzip'), BOTH)).body.length).toBeLessThan(bytes);
  });

  test('is compressed once', async () => {
    const [first, second] = [
      await compress(script(), asking('br'), BOTH),
      await compress(script(), asking('br'), BOTH),
    ];
    expect(second.body).toBe(first.body);
  });
});

describe('a behaviour compresses', () => {
  test.each([
    ['where its cache policy accepts both', true, CACHING_OPTIMIZED, BOTH],
    ['not where that is off', false, CACHING_OPTIMIZED, []],
    ['not where nothing is cached', true, CACHING_DISABLED, []],
  ])('%s', (_, Compress, CachePolicyId, expected) => {
    expect(readEncodings({ Compress, CachePolicyId })).toEqual(expected);
  });

  test('by no policy that is not known here', () => {
    expect(() => readEncodings({ Compress: true, CachePolicyId: 'other' })).toThrow('not served here');
  });
});

describe('the console', () => {
  const { output } = localStack();
  const url = output(OUTPUTS.consoleUrl);
  const encodingOf = async (path: string, method: string) => {
    const response = await fetch(url + path, { method, headers: { 'accept-encoding': 'gzip' } });
    await response.arrayBuffer();
    return response.headers.get('content-encoding');
  };

  test.each(['GET', 'HEAD'])('sends its files compressed to %s', async (method) => {
    const page = await (await fetch(url)).text();
    const [, file = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
    expect(await encodingOf(file, method)).toBe('gzip');
  });

  test('sends what the API says as it is', async () => {
    expect(await encodingOf('/settings/no/such/route', 'GET')).toBeNull();
  });
});
