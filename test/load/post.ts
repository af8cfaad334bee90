import { Agent, request as httpRequest } from 'node:http';
import type { HttpRequest } from '../contract/tenant.ts';

export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly tookMilliseconds: number;
}

/** Longer than the gateway's own 29 s, so that a slow response is not counted as an error. */
const PATIENCE_MILLISECONDS = 35_000;

export type Post = (request: HttpRequest) => Promise<Reply>;

/** A client with keep-alive connections, like a backend under load. Rejects if a connection fails. */
export function makePost(baseUrl: string, connections: number): Post {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return ({ path, headers = {}, body = '' }) =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const request = httpRequest(
        {
          hostname,
          port,
          agent,
          path,
          method: 'POST',
          headers: { 'Content-Length': Buffer.byteLength(body), ...headers },
          signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const tookMilliseconds = performance.now() - startedAt;
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: response.statusCode ?? 0, body: text, tookMilliseconds });
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
}

/** Undefined for anything but an acceptance. */
export function acceptedId({ status, body }: Reply): string | undefined {
  if (status !== 202) return undefined;
  const [, id] = /^\{"submission_id":"([0-9a-f-]{36})"\}$/.exec(body) ?? [];
  return id;
}

/** Whether it is one of the two possible responses. */
export function isAllowed(reply: Reply): boolean {
  return acceptedId(reply) !== undefined || (reply.status === 200 && reply.body === '{"status":"rejected"}');
}
