import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net';
import type { Closers } from './lifecycle.ts';

export const LOOPBACK = '127.0.0.1';

const OWN_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/i;

/** Listens for connections from this machine only. Returns the port. */
export async function listen(server: NetServer, port = 0): Promise<number> {
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Closes idle connections at once and the others after the grace period. */
export async function closeServer(server: Server, graceMilliseconds = 0): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
  await closed;
  clearTimeout(timer);
}

/** Serves on any free port until the closers run. Returns the URL. */
export async function listenOnLoopback(server: Server, closers: Closers): Promise<string> {
  const port = await listen(server);
  closers.defer(() => closeServer(server));
  return `http://${LOOPBACK}:${port}`;
}

/** A port that nothing listens on right now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** False for a web page whose host name was made to resolve to this machine (DNS rebinding). */
export function isForThisMachine({ headers }: IncomingMessage): boolean {
  return OWN_HOST.test(headers.host ?? '');
}

/** Browsers send the page's origin with every POST; the SDK and curl don't. */
export function isFromProgram(request: IncomingMessage): boolean {
  return request.method === 'POST' && request.headers.origin === undefined && isForThisMachine(request);
}
