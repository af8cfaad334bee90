import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Closers } from './lifecycle.ts';

export const LOOPBACK = '127.0.0.1';

const OWN_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/i;

/** Serves on any free port, for this machine only, and returns the address. */
export async function listenOnLoopback(server: Server, closers: Closers): Promise<string> {
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  closers.defer(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;
}

/** False for a web page whose name was made to resolve to this machine (DNS rebinding): it sends that name. */
export function isForThisMachine({ headers }: IncomingMessage): boolean {
  return OWN_HOST.test(headers.host ?? '');
}

/** Whether a program sent this: browsers send the origin of the page with every POST, the SDK and curl do not. */
export function isFromProgram(request: IncomingMessage): boolean {
  return request.method === 'POST' && request.headers.origin === undefined && isForThisMachine(request);
}
