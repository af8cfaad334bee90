import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

/** Starts the work when its turn comes. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Everything at once. */
export const atOnce: InTurn = (work) => work();

/** At most `most` at the same time, first come, first served. */
export function makeTurns(most: number): InTurn {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Passed on directly to the first in the queue, so that a newcomer cannot take the turn.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** Looks until there is something, or the time is up. */
export async function until<Found>(
  look: () => Promise<Found | undefined>,
  { seconds, signal, pauseMilliseconds = 250 }: Patience,
): Promise<Found | undefined> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined || Date.now() >= end) return found;
    await sleep(pauseMilliseconds, undefined, { signal });
  }
}

export interface Patience {
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly pauseMilliseconds?: number;
}

export interface HttpRequest {
  readonly method?: string;
  /** Below the base address. Sent unchanged. */
  readonly path: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Send = (request: HttpRequest) => Promise<HttpAnswer>;

export interface Http {
  readonly send: Send;
  readonly close: () => void;
}

/** Longer than API Gateway waits for a function. */
const PATIENCE_MS = 35_000;
const CONNECTIONS = { keepAlive: true, maxSockets: 60 };

/** A client for HTTP and HTTPS that does not normalize bytes, paths or repeated headers. */
export function openHttp(baseUrl: string): Http {
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const secure = protocol === 'https:';
  const agent = secure ? new HttpsAgent(CONNECTIONS) : new HttpAgent(CONNECTIONS);
  const request = secure ? httpsRequest : httpRequest;
  const basePath = pathname.replace(/\/+$/, '');

  const send: Send = ({ method = 'POST', path, headers = {}, body = '' }) =>
    new Promise((resolve, reject) => {
      const sending = request(
        {
          hostname,
          port,
          method,
          agent,
          path: `${basePath}${path}`,
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
      sending.setTimeout(PATIENCE_MS, () =>
        sending.destroy(new Error(`no answer within ${PATIENCE_MS / 1000} seconds`)),
      );
      sending.on('error', reject);
      sending.end(body);
    });

  return { send, close: () => agent.destroy() };
}
