import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Closers } from '../lifecycle.ts';
import { isFromProgram, listenOnLoopback } from '../loopback.ts';

/** A service of AWS, and the engine that stands for it on this machine. */
export interface ProxiedService {
  /** What `X-Amz-Target` begins with: `DynamoDB_20120810`. */
  readonly target: string;
  readonly endpoint: URL;
  /** Undefined lets the request pass. */
  refuse(accessKeyId: string, operation: string, body: string): Refusal | undefined;
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const CREDENTIAL = /Credential=([^/,\s]+)\//;

/** One server in front of all engines: the request says which service it is for, and its signature who sends it. */
export async function startProxy(
  services: readonly ProxiedService[],
  closers: Closers,
): Promise<{ readonly endpoint: string }> {
  const agent = new Agent({ keepAlive: true });
  closers.defer(() => agent.destroy());
  const server = createServer((incoming, response) => {
    if (!isFromProgram(incoming)) {
      response.writeHead(403).end();
      return;
    }
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => serve(incoming, Buffer.concat(chunks), response, { services, agent }));
  });
  // Functions keep their connections for as long as they live.
  server.keepAliveTimeout = 0;
  return { endpoint: await listenOnLoopback(server, closers) };
}

interface Behind {
  readonly services: readonly ProxiedService[];
  readonly agent: Agent;
}

function serve(
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  { services, agent }: Behind,
): void {
  const [target, operation = ''] = String(incoming.headers['x-amz-target']).split('.');
  const accessKeyId = CREDENTIAL.exec(incoming.headers.authorization ?? '')?.[1] ?? '';
  const service = services.find((candidate) => candidate.target === target);
  const refusal = service
    ? service.refuse(accessKeyId, operation, body.toString())
    : { status: 400, message: `${target} is no service that is served here` };
  if (service === undefined || refusal !== undefined) answer(response, refusal);
  else forward(incoming, body, response, { agent, endpoint: service.endpoint });
}

function answer(response: ServerResponse, refusal: Refusal | undefined): void {
  response.writeHead(refusal?.status ?? 400, {
    'content-type': 'application/x-amz-json-1.0',
    ...refusal?.headers,
  });
  response.end(
    JSON.stringify({
      __type: 'com.amazon.coral.service#AccessDeniedException',
      Message: refusal?.message,
    }),
  );
}

function forward(
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  { agent, endpoint }: { readonly agent: Agent; readonly endpoint: URL },
): void {
  const { hostname, port } = endpoint;
  const { 'transfer-encoding': _chunked, ...kept } = headers;
  const outgoing = request({
    ...{ agent, hostname, port, method, path: url },
    headers: { ...kept, 'content-length': body.length },
  });
  outgoing.on('response', (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders);
    incoming.pipe(response);
  });
  // The client sees what it would see without us: a connection that ends.
  outgoing.on('error', () => response.destroy());
  // A client that gives up, on a long poll for one, is no longer waiting here either.
  response.on('close', () => {
    if (!response.writableFinished) outgoing.destroy();
  });
  outgoing.end(body);
}
