import { once } from 'node:events';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { InvocationError } from '../../local/environment.ts';
import { openGateway } from '../../local/gateway/server.ts';
import { type Behave, bodyOf, openTestGateway, REJECTED, rawExchange } from './support/test-gateway.ts';

const MEGABYTE = 1024 * 1024;

const gateway = await openTestGateway();
afterAll(gateway.close);

async function expectOpaque(response: Response, errorType: string): Promise<void> {
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(REJECTED);
  expect(response.headers.get('x-amzn-errortype')).toBe(errorType);
  expect(response.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
}

describe('a request', () => {
  test('reaches the function byte for byte, whatever its bytes', async () => {
    const events = gateway.serve();
    const sent = Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 7) % 256));
    const response = await gateway.post(sent, { 'content-type': 'application/json' });
    expect(response.status).toBe(202);
    expect(bodyOf(events[0]).equals(sent)).toBe(true);
    expect(response.headers.get('x-amzn-requestid')).toBe(events[0]?.requestContext.requestId);
    expect(response.headers.get('x-amz-apigw-id')).toBe(events[0]?.requestContext.extendedRequestId);
  });

  test('can choose its request id, if that is a UUID, and not the extended one', async () => {
    const events = gateway.serve();
    const chosen = 'c0ffee00-0000-4000-8000-000000000001';
    const asked = { 'x-amzn-requestid': chosen, 'x-amz-apigw-id': 'mine' };
    const response = await gateway.post('{}', asked);
    expect(response.headers.get('x-amzn-requestid')).toBe(chosen);
    expect(events[0]?.requestContext.requestId).toBe(chosen);
    expect(events[0]?.requestContext.extendedRequestId).not.toBe('mine');
    for (const other of ['request-1', `${chosen}0`, `x${chosen}`, '']) {
      const { headers } = await gateway.post('{}', { 'x-amzn-requestid': other });
      expect(headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('x-amzn-requestid')).not.toBe(other);
    }
  });

  test.each([
    ['rebound.example.com', 403],
    ['127.0.0.1.example.com', 403],
    ['localhost.:80', 403],
    ['localhost', 202],
    ['LOCALHOST:8787', 202],
    ['127.0.0.1:1', 202],
    ['[::1]:8787', 202],
  ])('for the host %s gets %i, before a function runs if it is refused', async (host, status) => {
    const events = gateway.serve();
    const head = `POST /api/v1/ingest HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
    expect(await rawExchange(gateway.url, head)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(events).toHaveLength(status === 202 ? 1 : 0);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('in %s is decompressed; the header still says what it was', async (coding, compress) => {
    const events = gateway.serve();
    await gateway.post(compress('{"a":1}'), { 'content-encoding': coding });
    expect(bodyOf(events[0]).toString()).toBe('{"a":1}');
    expect(events[0]?.headers['content-encoding']).toBe(coding);
  });

  test.each(['br', 'constructor'])('in %s is left unchanged', async (coding) => {
    const events = gateway.serve();
    await gateway.post('{"a":1}', { 'content-encoding': coding });
    expect(bodyOf(events[0]).toString()).toBe('{"a":1}');
  });
});

describe('limits', () => {
  test.each([
    ['a body of 10 MB and a byte', 413, Buffer.alloc(10 * MEGABYTE + 1), {}],
    [
      'a body that decompresses to more',
      413,
      gzipSync(Buffer.alloc(10 * MEGABYTE + 1)),
      { 'content-encoding': 'gzip' },
    ],
    ['a coding that is not what it says', 415, 'plain', { 'content-encoding': 'gzip' }],
  ])("%s: %i of the gateway's own", async (_, status, body, headers) => {
    const events = gateway.serve();
    expect((await gateway.post(body, headers)).status).toBe(status);
    expect(events).toEqual([]);
  });

  test('an event over 6 MB is too large for Lambda: opaque', async () => {
    const events = gateway.serve();
    await expectOpaque(await gateway.post(Buffer.alloc(5 * MEGABYTE)), 'RequestTooLargeException');
    expect(events).toEqual([]);
  });

  test('a body of 4 MB is not', async () => {
    const events = gateway.serve();
    expect((await gateway.post(Buffer.alloc(4 * MEGABYTE))).status).toBe(202);
    expect(bodyOf(events[0]).length).toBe(4 * MEGABYTE);
  });

  test('headers of 8 KB pass; more than 10,240 bytes are opaque', async () => {
    const events = gateway.serve();
    expect((await gateway.post('{}', { 'x-long': 'x'.repeat(8_192) })).status).toBe(202);
    await expectOpaque(await gateway.post('{}', { 'x-long': 'x'.repeat(10_240) }), 'BadRequestException');
    expect(events).toHaveLength(1);
  });

  test('an integration that takes too long: opaque, and the invocation is aborted', async () => {
    const aborted = Promise.withResolvers<void>();
    gateway.serve(async (_, signal) => {
      await once(signal, 'abort');
      aborted.resolve();
      throw new InvocationError('late');
    });
    await expectOpaque(await gateway.post('{}'), 'InternalServerErrorException');
    await aborted.promise;
  });
});

describe('the gateway’s own responses', () => {
  test.each([
    ['POST', '/nowhere'],
    ['GET', '/api/v1/ingest'],
    ['OPTIONS', '/api/v1/ingest'],
    ['POST', '/dev/api/v1/ingest'],
  ])('%s %s: no such route', async (method, path) => {
    gateway.serve();
    await expectOpaque(await fetch(gateway.url + path, { method }), 'MissingAuthenticationTokenException');
  });

  test.each<[string, Behave]>([
    ['fails', () => Promise.reject(new InvocationError('crashed'))],
    ['returns what is no answer', () => 'ok'],
  ])('a function that %s', async (_, how) => {
    gateway.serve(how);
    await expectOpaque(await gateway.post('{}'), 'InternalServerErrorException');
  });
});

test('requests that arrive before the API is ready wait for it', async () => {
  const early = await openGateway(0);
  const response = fetch(`${early.url}/x`, { method: 'POST' });
  const teapot = { statusCode: 418, headers: [], body: Buffer.from('') };
  early.serve({ respond: async () => teapot, responseFault: () => teapot });
  expect((await response).status).toBe(418);
  await early.close();
});
