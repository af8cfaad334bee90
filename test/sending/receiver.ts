import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** A request as an owner's system gets it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Reply = (response: ServerResponse, request: Received) => void;

export interface Receiver {
  readonly url: string;
  /** In the order in which they came in. */
  readonly received: readonly Received[];
  /** One reply per request from now on. The last one stays. */
  play(...replies: Reply[]): void;
  close(): Promise<void>;
}

/** An owner's system: a real HTTP server on this machine. It returns 204 unless told otherwise. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let replies: Reply[] = [];
  const server = createServer(async (incoming, response) => {
    const { url: path = '', headers } = incoming;
    const request = { path, headers, body: await text(incoming) };
    received.push(request);
    const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? respondWith(204);
    reply(response, request);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/leads`,
    received,
    play(...next) {
      replies = next;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export const respondWith =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Never responds. The connection stays open. */
export const hang: Reply = () => undefined;

/** Closes the connection in the way that the other side sees as a reset. */
export const reset: Reply = (response) => void response.socket?.resetAndDestroy();

/** An error with a body that never ends. */
export const flood: Reply = (response) => {
  response.writeHead(500, { 'content-type': 'text/plain' });
  const chunk = 'x'.repeat(64 * 1024);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};

/** What a webhook says, verified as its receiver would. Throws if the signature is wrong. */
export function verify({ body, headers }: Received, signingSecret: string) {
  return new Webhook(signingSecret).verify(body, headers as Record<string, string>) as WebhookMessage;
}

export interface WebhookMessage {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly lead: Readonly<Record<string, unknown>> };
}
