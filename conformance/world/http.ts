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

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

/** Looks until there is something, or the time is up; less and less often, because what takes long may never come. */
export async function until<Found>(
  look: () => Promise<Found | undefined>,
  { seconds, signal }: Patience,
): Promise<Found | undefined> {
  const end = Date.now() + seconds * 1000;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const found = await look();
    if (found !== undefined || Date.now() >= end) return found;
    await sleep(Math.min(pause, end - Date.now()), undefined, { signal });
  }
}

export interface Patience {
  readonly seconds: number;
  readonly signal: AbortSignal;
}

export interface HttpRequest {
  readonly method?: string;
  /** Below the base address. Sent unchanged. */
  readonly path: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Send = (request: HttpRequest) => Promise<HttpResponse>;

export interface Http {
  readonly send: Send;
  readonly close: () => void;
}

/** Longer than API Gateway waits for a function. */
const PATIENCE_MS = 35_000;
const CONNECTIONS = 60;

class ClosedWhileIdle extends Error {}

/** A client for HTTP and HTTPS that does not normalize bytes, paths or repeated headers. */
export function openHttp(baseUrl: string, maxSockets = CONNECTIONS): Http {
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const secure = protocol === 'https:';
  const connections = { keepAlive: true, maxSockets };
  const agent = secure ? new HttpsAgent(connections) : new HttpAgent(connections);
  const request = secure ? httpsRequest : httpRequest;
  const basePath = pathname.replace(/\/+$/, '');

  const sendOnce = ({ method = 'POST', path, headers = {}, body = '' }: HttpRequest) =>
    new Promise<HttpResponse>((resolve, reject) => {
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
      sending.on('error', (error: NodeJS.ErrnoException) => {
        const closedWhileIdle = sending.reusedSocket && error.code === 'ECONNRESET';
        reject(closedWhileIdle ? new ClosedWhileIdle(error.message) : error);
      });
      sending.end(body);
    });

  /** A kept connection may be closed at the moment when it is used again. The request was not read then. */
  const send: Send = async (wanted) => {
    for (let attempts = maxSockets; ; attempts -= 1) {
      try {
        return await sendOnce(wanted);
      } catch (error) {
        if (!(error instanceof ClosedWhileIdle) || attempts === 0) throw error;
      }
    }
  };

  return { send, close: () => agent.destroy() };
}

/** One kind of response, and how often it came. */
export interface SeenResponse {
  readonly retired: boolean;
  readonly status: number;
  /** Content type and body of a rejection, which must always be the same. */
  readonly rejection?: string;
  /** Without the headers that API Gateway adds to its own responses. */
  readonly headerNames: string;
  count: number;
}

export interface IngestLog {
  readonly send: Send;
  readonly seen: () => readonly SeenResponse[];
  readonly requests: () => number;
}

/** Headers of the connection and of the network, and the mark of API Gateway's own responses, which cannot be removed. */
const VARYING_HEADERS = new Set([
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'via',
  'x-amzn-requestid',
  'x-amz-apigw-id',
  'x-amzn-trace-id',
  'x-amzn-errortype',
]);

/** Sends, and counts the kinds of responses in the whole run, because some rules are about all of them. */
export function makeIngestLog(send: Send): IngestLog {
  const seen = new Map<string, SeenResponse>();
  let requests = 0;
  return {
    async send(request) {
      requests += 1;
      const answer = await send(request);
      const kind = kindOf(request, answer);
      const key = JSON.stringify(kind);
      const known = seen.get(key);
      if (known) known.count += 1;
      else seen.set(key, { ...kind, count: 1 });
      return answer;
    },
    seen: () => [...seen.values()],
    requests: () => requests,
  };
}

function kindOf({ path }: HttpRequest, { status, headers, body }: HttpResponse): Omit<SeenResponse, 'count'> {
  const names = Object.keys(headers).filter((name) => !VARYING_HEADERS.has(name));
  return {
    retired: path.startsWith('/api/ingest/'),
    status,
    ...(status === 200 && { rejection: `${headers['content-type']} ${body}` }),
    headerNames: names.sort().join(', '),
  };
}
