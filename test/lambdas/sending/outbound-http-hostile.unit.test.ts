import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makePostRequest, type OutboundResult } from '#sending/outbound-http.ts';
import { isPublicAddress, parseDestinationUrl } from '#sending/public-address.ts';

describe('the URL of a webhook', () => {
  const strict = { allowLoopback: false };

  test.each([
    ['http://example.com/', /begin with https/],
    ['http://127.0.0.1:9000/', /begin with https/],
    ['https://example.com:8443/', /port 443/],
    ['https://user@example.com/', /user name/],
    ['https://192.0.2.1/', /not an IP address/],
    ['https://0x7f.1/', /not an IP address/],
    ['https://[::1]/', /not an IP address/],
    ['https://[::ffff:127.0.0.1]/', /not an IP address/],
    ['https://localhost/', /local name/],
    ['https://printer.local/', /local name/],
    ['https://metadata.google.internal/', /local name/],
    ['https://intranet/', /local name/],
    ['https://example.com/#top', /fragment/],
    ['example.com', /must be a URL/],
  ])('is refused: %s', (url, problem) => {
    expect(() => parseDestinationUrl(url, strict)).toThrow(problem);
  });

  test('is refused if it is longer than any address needs to be', () => {
    expect(() => parseDestinationUrl(`https://example.com/${'a'.repeat(2_000)}`, strict)).toThrow('2000');
  });

  test('can have a path and a query, and a name in any script', () => {
    expect(parseDestinationUrl('https://example.com/hooks/1?key=2', strict).href).toBe(
      'https://example.com/hooks/1?key=2',
    );
    expect(parseDestinationUrl('https://bücher.example/', strict).hostname).toBe('xn--bcher-kva.example');
  });

  test('can be on this machine only where that is allowed, and only by its address', () => {
    expect(parseDestinationUrl('http://127.0.0.1:9000/x', { allowLoopback: true }).port).toBe('9000');
    for (const url of ['http://127.0.0.2/', 'http://localhost/', 'http://u@127.0.0.1/', 'http://10.0.0.1/']) {
      expect(() => parseDestinationUrl(url, { allowLoopback: true })).toThrow();
    }
  });
});

test.each([
  ['93.184.215.14', true],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['198.19.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['::127.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['not an address', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

// A receiver that is no HTTP server, and sends whatever the path of the request asks for.

/** An attempt that does not keep to it never ends. */
const DEADLINE_MS = 250;

type Play = (socket: Socket) => void;

const plays = new Map<string, Play>();
const sockets = new Set<Socket>();
let server: Server;

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.once('data', (request) => plays.get(request.toString('latin1').split(' ')[1] ?? '')?.(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const send = makePostRequest({ allowLoopback: true, resolve: async () => [] });

async function attempt(play: Play, deadlineMilliseconds = DEADLINE_MS): Promise<OutboundResult> {
  const path = `/${plays.size}`;
  plays.set(path, play);
  const { port } = server.address() as AddressInfo;
  const request = { url: `http://127.0.0.1:${port}${path}`, headers: {}, body: '{"a":1}' };
  return send(request, AbortSignal.timeout(deadlineMilliseconds));
}

const EVERY = Array.from({ length: 500 }, (_, index) => 100 + index);
/** One of each kind that a reader of HTTP treats differently. */
const KINDS = [100, 101, 102, 103, 150, 200, 204, 205, 299, 301, 304, 307, 400, 401, 410, 429, 500, 503, 599];

const BODIES: Readonly<Record<string, [readonly number[], (status: number) => string]>> = {
  'a body': [EVERY, (status) => `HTTP/1.1 ${status} X\r\nContent-Length: 2\r\n\r\nno`],
  'an upgrade': [
    EVERY,
    (status) => `HTTP/1.1 ${status} X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  ],
  'no body': [KINDS, (status) => `HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`],
  'a body that never comes': [KINDS, (status) => `HTTP/1.1 ${status} X\r\nContent-Length: 9\r\n\r\n`],
  'half of the headers': [KINDS, (status) => `HTTP/1.1 ${status} X\r\nContent-Le`],
};

test.each(Object.entries(BODIES))(
  'an attempt ends, whatever the status, with %s',
  async (_, [played, text]) => {
    for (let from = 0; from < played.length; from += 250) {
      const statuses = played.slice(from, from + 250);
      const results = await Promise.all(
        statuses.map((status) => attempt((socket) => socket.write(text(status)))),
      );
      for (const [index, { status, error }] of results.entries()) {
        // Something to record: the status, or why there is none.
        expect(status ?? error).toBeDefined();
        if (status !== undefined && error === undefined) expect(status).toBe(statuses[index]);
      }
    }
  },
  60_000,
);

test('a receiver that switches protocols has failed, and its socket is closed', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const result = await attempt((socket) => {
    socket.on('close', () => resolve());
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nmore');
  }, 10_000);
  expect(result).toEqual({ status: 101, error: 'upgrade_not_supported' });
  await closed;
});

test('an attempt ends, whichever byte of the response the receiver resets the connection after', async () => {
  const whole = 'HTTP/1.1 503 No\r\nRetry-After: 1\r\nContent-Length: 4\r\n\r\nsoon';
  const results = await Promise.all(
    Array.from({ length: whole.length + 1 }, (_, bytes) =>
      attempt((socket) => {
        const reset = () => socket.resetAndDestroy();
        if (bytes === 0) reset();
        else socket.write(whole.slice(0, bytes), reset);
      }),
    ),
  );
  for (const { status, error } of results) expect(status ?? error).toBeDefined();
});

test('interim responses without end do not keep an attempt waiting', async () => {
  const result = await attempt((socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5);
    socket.on('close', () => clearInterval(timer));
  });
  expect(result).toEqual({ error: 'timeout' });
});
