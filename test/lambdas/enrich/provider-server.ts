import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

type Reply = (response: ServerResponse, request: IncomingMessage) => void;

/** A real HTTP server on loopback that plays the replies given, one a request, and the last of them for ever. */
export async function startProviderServer() {
  const received: ReceivedRequest[] = [];
  let replies: Reply[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    received.push({ method: request.method, authorization: request.headers.authorization, body });
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    reply?.(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/enrich`,
    received,
    play(...next: Reply[]) {
      received.length = 0;
      replies = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

export const answer =
  (status: number, body: unknown = '', headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

export const hangUp: Reply = (response) => void response.destroy();

/** Never answers; the connection stays open. */
export const stall: Reply = () => undefined;

/** The head and part of the body, and then nothing. */
export const stallInBody: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"employees":');
};
