import { randomBytes, randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { closeServer, isForThisMachine, LOOPBACK, listen, StartupError } from '../lifecycle.ts';
import type { FaultType, HttpResponse } from './gateway-responses.ts';
import { ClientDisconnected, type Exchange } from './request.ts';

/** An API's local server. It behaves like a custom domain that is mapped to the stage. */
export interface Gateway {
  readonly url: string;
  /** Responds to waiting and future requests. */
  serve(api: ApiHandler): void;
  close(): Promise<void>;
}

/** With DNS rebinding, a web page reaches these ports under a name of its own. */
const FOREIGN_HOST: HttpResponse = {
  statusCode: 403,
  headers: [['Content-Type', 'text/plain']],
  body: Buffer.from('Forbidden: this stack answers only to localhost and 127.0.0.1.\n'),
};

const GRACE_MILLISECONDS = 2_000;
const REFUSAL_MILLISECONDS = 1_000;

/** Opens the port at once. Requests wait until there is an API. */
export async function openGateway(port: number): Promise<Gateway> {
  const ready = Promise.withResolvers<ApiHandler>();
  const inFlight: InFlight = new WeakMap();
  const refused = new WeakSet<Duplex>();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = openExchange(request.headers['x-amzn-requestid']);
    remember(request, response, inFlight);
    // A browser always sends a host.
    if (request.headers.host && !isForThisMachine(request)) {
      request.once('end', () => sendResponse(response, FOREIGN_HOST)).resume();
      return;
    }
    const api = await ready.promise;
    try {
      sendResponse(response, await api.respond(request, exchange));
    } catch (error) {
      if (error instanceof ClientDisconnected) return;
      console.error('The local gateway failed:', error);
      if (!response.headersSent) sendResponse(response, api.responseFault('DEFAULT_5XX', exchange));
    }
  }

  /** Treats what Node can't parse as a bad request, after the responses to earlier requests. */
  async function refuse(socket: Duplex, type: FaultType): Promise<void> {
    // Node reports every further chunk.
    if (refused.has(socket)) return;
    refused.add(socket);
    // Node has removed its listener, and an unhandled error would end the process.
    socket.on('error', () => socket.destroy());
    const requests = [...(inFlight.get(socket) ?? [])];
    const unfinished = requests.find(([, request]) => !request.complete);
    await Promise.allSettled(
      requests.filter((item) => item !== unfinished).map(([response]) => finished(response)),
    );
    const api = await ready.promise;
    // Closes connections that the client keeps open.
    setTimeout(() => socket.destroy(), REFUSAL_MILLISECONDS).unref();
    if (!socket.writable) return;
    const exchange = openExchange();
    const refusal = api.responseFault(type, exchange);
    if (unfinished === undefined) return sendRaw(socket, refusal, exchange);
    // The head was valid but the body is not: the request already has a response, which must be the last.
    const [response] = unfinished;
    response.shouldKeepAlive = false;
    if (!response.headersSent) sendResponse(response, refusal);
  }

  const server = createServer({
    // Far above the limit of 10,240 bytes, so that we respond instead of Node.
    maxHeaderSize: 64 * 1024,
    requireHostHeader: false,
    keepAliveTimeout: 65_000,
    headersTimeout: 30_000,
    requestTimeout: 60_000,
  });
  server.on('request', (request, response) => void handle(request, response));
  server.on('checkExpectation', (request, response) => void handle(request, response));
  server.on('connect', (_, socket) => void refuse(socket, 'MISSING_AUTHENTICATION_TOKEN'));
  server.on('clientError', (_, socket) => void refuse(socket, 'DEFAULT_4XX'));
  const assignedPort = await listenOn(server, port);
  let closed: Promise<void> | undefined;
  return {
    url: `http://${LOOPBACK}:${assignedPort}`,
    serve: (api) => ready.resolve(api),
    close() {
      closed ??= closeServer(server, GRACE_MILLISECONDS);
      return closed;
    },
  };
}

/** The unanswered requests of each connection. */
type InFlight = WeakMap<Duplex, Map<ServerResponse, IncomingMessage>>;

function remember(request: IncomingMessage, response: ServerResponse, inFlight: InFlight): void {
  const requests = inFlight.get(request.socket) ?? new Map();
  inFlight.set(request.socket, requests.set(response, request));
  response.once('close', () => requests.delete(response));
}

async function listenOn(server: Server, port: number): Promise<number> {
  try {
    return await listen(server, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StartupError(
        `Port ${port} is in use. Choose another with --port, or use --port 0 for any free port.`,
      );
    }
    throw new StartupError(`Port ${port} cannot be used: ${message}`);
  }
}

/** A REST API, an HTTP API or the console. */
export interface ApiHandler {
  respond(incoming: IncomingMessage, exchange: Exchange): Promise<HttpResponse>;
  /** The response to what Node can't parse, and to failures of the gateway. */
  responseFault(type: FaultType, exchange: Exchange): HttpResponse;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** As in API Gateway, a client can choose the request id (a UUID), but not the extended one. */
export function openExchange(askedFor?: string | string[]): Exchange {
  return {
    requestId: typeof askedFor === 'string' && UUID.test(askedFor) ? askedFor : randomUUID(),
    extendedRequestId: randomBytes(11).toString('base64'),
    receivedAt: Date.now(),
  };
}

export function sendResponse(response: ServerResponse, sent: HttpResponse): void {
  if (response.destroyed) return;
  response.writeHead(sent.statusCode, headersOf(sent).flat());
  // If a pipelined response has a body, Node writes its head before everything that waits, even before a pending
  // "100 Continue". Flushing the head separately keeps the order.
  if (response.req.headers.expect !== undefined) response.flushHeaders();
  response.end(sent.body);
}

/** For a connection whose request Node could not parse. */
export function sendRaw(socket: Duplex, sent: HttpResponse, exchange: Exchange): void {
  const headers = [
    ...headersOf(sent),
    ['Date', new Date(exchange.receivedAt).toUTCString()],
    ['Connection', 'close'],
  ];
  const head = [
    `HTTP/1.1 ${sent.statusCode} ${STATUS_CODES[sent.statusCode] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), sent.body]));
}

function headersOf(sent: HttpResponse): (readonly [string, string])[] {
  const hasBody = sent.statusCode !== 204 && sent.statusCode !== 304;
  return [...sent.headers, ...(hasBody ? [['Content-Length', String(sent.body.length)] as const] : [])];
}
