import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

interface Received {
  readonly id: string;
  readonly signature: string;
  readonly type: string;
  /** Whether it is signed with this secret. */
  isSignedWith(secret: string): boolean;
}

/** A local webhook receiver with a configurable response. */
export async function openReceiver() {
  const received: Received[] = [];
  const answer = { status: 204, body: '' };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    received.push({
      id: headers['webhook-id'] ?? '',
      signature: headers['webhook-signature'] ?? '',
      type: JSON.parse(body).type,
      isSignedWith: (secret) => {
        try {
          new Webhook(secret).verify(body, headers);
          return true;
        } catch {
          return false;
        }
      },
    });
    response.writeHead(answer.status).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/leads`,
    received,
    respondWith(status: number, body = '') {
      Object.assign(answer, { status, body });
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
