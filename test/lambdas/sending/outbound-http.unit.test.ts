import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { makePostRequest, type OutboundResult } from '#sending/outbound-http.ts';

// Of a name that cannot exist, and used nowhere else.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvpBYjn2ZpH2Hz5a3
qaeVBOQilRatTdj24PiRzWPJcUahRANCAAS5FAbefXkgI/FDrfV5Pubz7S4MDKQa
HIxNgWBlnd4vDWWfQFEfSn/kI0sx6FCno3I8H+b3C3wKyDxQhCJEoMpC
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBqjCCAVCgAwIBAgIUeLcXlcXBPVz+vw7/xqK5GfUBR2IwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTAgFw0yNjExMTUyMzA0MjFaGA8y
MTI2MTAyMjIzMDQyMVowGzEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABLkUBt59eSAj8UOt9Xk+5vPtLgwMpBocjE2B
YGWd3i8NZZ9AUR9Kf+QjSzHoUKejcjwf5vcLfArIPFCEIkSgykKjcDBuMB0GA1Ud
DgQWBBR5D2/P8S4j3y1I1JhD0Qmg4ujRLjAfBgNVHSMEGDAWgBR5D2/P8S4j3y1I
1JhD0Qmg4ujRLjAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHJlY2VpdmVy
LmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIhANqBoX766jZOlVE4ILQa95z0rwq0
lS4txhaQLo7/TvKOAiAVAEOC4bsOyEZxOL1KYf0qXf+Ipm9w3gU719uRA6yPEw==
-----END CERTIFICATE-----`;

const PUBLIC = '93.184.215.14';
const servers: { close(): unknown; closeAllConnections?(): void }[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections?.();
    server.close();
  }
});

async function listen<Listening extends Pick<Server, 'listen' | 'address' | 'close'>>(server: Listening) {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

interface Given {
  readonly answer?: RequestListener;
  readonly url?: string;
  readonly addresses?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Posts to a server with a certificate for receiver.example, which has the given addresses. */
async function post({
  answer = ok,
  url = 'https://receiver.example/leads?a=1',
  addresses = [PUBLIC],
  signal,
}: Given) {
  const port = await listen(createServer({ key: KEY, cert: CERTIFICATE }, answer));
  const reached: string[] = [];
  const send = makePostRequest({
    allowLoopback: false,
    resolve: async () => addresses,
    reach(address) {
      reached.push(address);
      return { host: '127.0.0.1', port, ca: CERTIFICATE };
    },
  });
  const result: OutboundResult = await send(
    { url, headers: { 'webhook-id': 'msg_1' }, body: '{"é":1}' },
    signal ?? AbortSignal.timeout(5_000),
  );
  return { result, reached };
}

const ok: RequestListener = (request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
};

const responding =
  (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
  (request, response) => {
    request.resume().on('end', () => response.writeHead(status, headers).end(body));
  };

test('connects to the checked address, as the name', async () => {
  const seen: unknown[] = [];
  const { result, reached } = await post({
    answer(request, response) {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { host, 'webhook-id': id, 'content-length': length } = request.headers;
        seen.push([request.method, request.url, host, id, length, Buffer.concat(chunks).toString()]);
        response.writeHead(200).end('thanks');
      });
    },
  });
  expect(result).toEqual({ status: 200, retryAfterSeconds: undefined });
  expect(reached).toEqual([PUBLIC]);
  expect(seen).toEqual([['POST', '/leads?a=1', 'receiver.example', 'msg_1', '8', '{"é":1}']]);
});

test.each([[['10.0.0.1']], [[PUBLIC, '169.254.169.254']], [['127.0.0.1', PUBLIC]], [[]]])(
  'makes no connection if the name has the addresses %j',
  async (addresses) => {
    const { result, reached } = await post({ addresses });
    expect(result).toEqual({ error: 'address_not_public' });
    expect(reached).toEqual([]);
  },
);

test('resolves a name for every request, so that one that is rebound is noticed', async () => {
  const responses = [[PUBLIC], ['127.0.0.1']];
  const port = await listen(createServer({ key: KEY, cert: CERTIFICATE }, ok));
  const send = makePostRequest({
    allowLoopback: false,
    resolve: async () => responses.shift() ?? [],
    reach: () => ({ host: '127.0.0.1', port, ca: CERTIFICATE }),
  });
  const once = () =>
    send({ url: 'https://receiver.example/', headers: {}, body: '{}' }, AbortSignal.timeout(5_000));
  expect((await once()).status).toBe(204);
  expect(await once()).toEqual({ error: 'address_not_public' });
});

test.each(['http://127.0.0.1:1/', 'https://127.0.0.1/', 'https://receiver.example:8443/', 'nonsense'])(
  'refuses %s, should it ever be stored',
  async (url) => {
    const { result, reached } = await post({ url });
    expect(result).toEqual({ error: 'address_not_public' });
    expect(reached).toEqual([]);
  },
);

test('does not accept a certificate for another name', async () => {
  expect((await post({ url: 'https://other.example/' })).result).toEqual({ error: 'tls_failed' });
});

test('follows no redirect', async () => {
  let requests = 0;
  const { result } = await post({
    answer(request, response) {
      requests += 1;
      responding(302, { location: 'https://receiver.example/other' })(request, response);
    },
  });
  expect(result.status).toBe(302);
  expect(requests).toBe(1);
});

test('reads no more of a response than it keeps', async () => {
  let sent = 0;
  const { result } = await post({
    answer(request, response) {
      request.resume();
      response.writeHead(500);
      const push = () => {
        while (!response.destroyed && sent < 500_000_000) {
          sent += 65_536;
          if (!response.write('x'.repeat(65_536))) {
            response.once('drain', push);
            return;
          }
        }
      };
      push();
    },
  });
  expect(result.status).toBe(500);
  expect(result.excerpt).toBe('x'.repeat(512));
  expect(sent).toBeLessThan(50_000_000);
});

test('counts a 2xx as success without waiting for its body', async () => {
  const { result } = await post({
    answer(request, response) {
      request.resume();
      response.writeHead(200);
      response.write('and it never ends');
    },
  });
  expect(result.status).toBe(200);
});

test.each<[string, string, number | undefined]>([
  ['120', 'Sun, 15 Nov 2026 12:00:00 GMT', 120],
  ['Sun, 15 Nov 2026 12:01:00 GMT', 'Sun, 15 Nov 2026 12:00:00 GMT', 60],
  ['Sun, 15 Nov 2026 11:59:00 GMT', 'Sun, 15 Nov 2026 12:00:00 GMT', undefined],
  ['soon', 'Sun, 15 Nov 2026 12:00:00 GMT', undefined],
])('reads Retry-After: %s', async (header, date, seconds) => {
  const { result } = await post({ answer: responding(429, { 'retry-after': header, date }) });
  expect(result).toMatchObject({ status: 429, retryAfterSeconds: seconds });
});

test('gives up at the deadline, whether the receiver or the name server hangs', async () => {
  expect((await post({ answer: () => undefined, signal: AbortSignal.timeout(100) })).result).toEqual({
    error: 'timeout',
  });
  const send = makePostRequest({ allowLoopback: false, resolve: () => new Promise(() => undefined) });
  const request = { url: 'https://receiver.example/', headers: {}, body: '{}' };
  expect(await send(request, AbortSignal.timeout(100))).toEqual({ error: 'timeout' });
});

test('says why there was no response', async () => {
  const reset = await post({ answer: (request) => void request.socket.destroy() });
  expect(reset.result).toEqual({ error: 'connection_reset' });
  const send = makePostRequest({ allowLoopback: true, resolve: async () => [] });
  const server = createHttpServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  const refused = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' };
  expect(await send(refused, AbortSignal.timeout(5_000))).toEqual({ error: 'connection_refused' });
});
