import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { localStack } from '../local-stack.ts';

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

  test('announces the same encoding for HEAD', async () => {
    const { headers } = await get(await scriptPath(), 'gzip', 'HEAD');
    expect(headers['content-encoding']).toBe('gzip');
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
