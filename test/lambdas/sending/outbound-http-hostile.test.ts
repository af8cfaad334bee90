import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makePostRequest, type OutboundResult } from '#sending/outbound-http.ts';

// A receiver that is no HTTP server, and sends whatever the path of the request asks for.

const DEADLINE_MS = 250;
/** For a busy machine. Without a deadline, an attempt takes forever. */
const MARGIN_MS = 4_000;

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

async function attempt(play: Play): Promise<OutboundResult & { readonly inTime: boolean }> {
  const path = `/${plays.size}`;
  plays.set(path, play);
  const { port } = server.address() as AddressInfo;
  const startedAt = performance.now();
  const request = { url: `http://127.0.0.1:${port}${path}`, headers: {}, body: '{"a":1}' };
  const result = await send(request, AbortSignal.timeout(DEADLINE_MS));
  return { ...result, inTime: performance.now() - startedAt < DEADLINE_MS + MARGIN_MS };
}

const everyStatus = Array.from({ length: 500 }, (_, index) => 100 + index);

const BODIES: Readonly<Record<string, (status: number) => string>> = {
  'no body': (status) => `HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`,
  'a body': (status) => `HTTP/1.1 ${status} X\r\nContent-Length: 2\r\n\r\nno`,
  'a body that never comes': (status) => `HTTP/1.1 ${status} X\r\nContent-Length: 9\r\n\r\n`,
  'half of the headers': (status) => `HTTP/1.1 ${status} X\r\nContent-Le`,
  'an upgrade': (status) => `HTTP/1.1 ${status} X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
};

test.each(Object.entries(BODIES))(
  'an attempt ends in time, whatever the status, with %s',
  async (_, text) => {
    for (let from = 0; from < everyStatus.length; from += 100) {
      const statuses = everyStatus.slice(from, from + 100);
      const results = await Promise.all(
        statuses.map((status) => attempt((socket) => socket.write(text(status)))),
      );
      for (const [index, { inTime, status, error }] of results.entries()) {
        expect([statuses[index], inTime]).toEqual([statuses[index], true]);
        // Something to record: the status, or why there is none.
        expect(status ?? error).toBeDefined();
        if (status !== undefined && error === undefined) expect(status).toBe(statuses[index]);
      }
    }
  },
  60_000,
);

test('a receiver that switches protocols has failed, and its socket is closed', async () => {
  let closed = false;
  const result = await attempt((socket) => {
    socket.on('close', () => {
      closed = true;
    });
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nmore');
  });
  expect(result).toEqual({ status: 101, error: 'upgrade_not_supported', inTime: true });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(closed).toBe(true);
});

test('an attempt ends in time, whichever byte of the response the receiver resets the connection after', async () => {
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
  for (const { inTime, status, error } of results) {
    expect(inTime).toBe(true);
    expect(status ?? error).toBeDefined();
  }
});

test('interim responses without end do not keep an attempt waiting', async () => {
  const result = await attempt((socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5);
    socket.on('close', () => clearInterval(timer));
  });
  expect(result).toEqual({ error: 'timeout', inTime: true });
});
