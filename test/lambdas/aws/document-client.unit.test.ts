import { Agent, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { HttpRequest } from '@smithy/core/protocols';
import { makeDocumentClient } from '#aws/dynamodb.ts';
import { makeSocketPool } from '#aws/socket-pool.ts';
import { openFreezingProxy } from './freezing-proxy.ts';

/** They are removed by name: a new name in the SDK would bring them back. */
test('a call passes the middleware that it needs, and no other', () => {
  const client = makeDocumentClient();
  const middleware = client.middlewareStack.identify().join('\n');
  client.destroy();
  expect(middleware).not.toMatch(/logger|user-?agent|recursion|length/i);
  for (const needed of [/retry/, /httpSigning/, /hostHeader/]) {
    expect(middleware).toMatch(needed);
  }
});

/** A shared key, because Node cannot make certificates. */
const KEY = Buffer.alloc(32, 7);
const TLS = { ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const;

const server = createServer({ ...TLS, pskCallback: () => KEY }, (request, response) => {
  request.resume().on('end', () => response.end('{}'));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const proxy = await openFreezingProxy(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);

afterAll(async () => {
  await proxy.close();
  server.close();
});

const request = new HttpRequest({
  protocol: 'https:',
  hostname: '127.0.0.1',
  port: proxy.port,
  method: 'POST',
  path: '/',
  body: '{}',
});

test('stale TLS sockets are dropped too, and the request is repeated on a fresh one', async () => {
  const handler = makeSocketPool()(60_000);
  // The handler shows its agents once it has been called.
  await handler.handle(request, { abortSignal: AbortSignal.abort() }).catch(() => undefined);
  const { httpsAgent } = handler.httpHandlerConfigs();
  if (!(httpsAgent instanceof Agent)) throw new Error('The handler has no agent for TLS');
  Object.assign(httpsAgent.options, {
    ...TLS,
    pskCallback: () => ({ psk: KEY, identity: 'test' }),
    checkServerIdentity: () => undefined,
  });
  const send = async () => {
    const { response } = await handler.handle(request);
    await response.body.toArray();
    return response.statusCode;
  };
  const sixTimes = () => Promise.all(Array.from({ length: 6 }, send));

  await sixTimes();
  expect(proxy.openSockets()).toBe(6);
  proxy.freeze();
  expect(await send()).toBe(200);
  expect(await sixTimes()).toEqual([200, 200, 200, 200, 200, 200]);
  expect(proxy.resets()).toBe(1);
});
