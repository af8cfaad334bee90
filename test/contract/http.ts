import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { localStack } from '../local-stack.ts';

export interface HttpRequest {
  readonly method?: string;
  /** Sent as it is: no client tidies it up on the way. */
  readonly path: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 60 });

/** A plain HTTP client that sends bytes, paths and repeated headers exactly as told. */
export async function send({
  method = 'POST',
  path,
  headers = {},
  body = '',
}: HttpRequest): Promise<HttpAnswer> {
  const { hostname, port } = new URL(localStack().ingestUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        hostname,
        port,
        method,
        path,
        agent,
        headers: { 'Content-Length': Buffer.byteLength(body), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
