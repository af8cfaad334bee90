import type { IncomingMessage } from 'node:http';
import { InvocationError } from '../environment.ts';
import { type ApiIdentity, buildEvent, type GatewayRequest } from './event.ts';
import type { Exchange } from './exchange.ts';
import { type Answer, type AnswerFault, GatewayFault } from './gateway-responses.ts';
import { readBody } from './request-body.ts';
import { readResponse } from './response.ts';
import type { MatchRoute, Route } from './routes.ts';

/** A REST API, ready to be served. */
export interface Api {
  readonly identity: ApiIdentity;
  readonly match: MatchRoute;
  readonly answerFault: AnswerFault;
  invoke(functionArn: string, event: string, signal: AbortSignal): Promise<string>;
}

/** Of the request line and the values of all headers: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const HEAD_LIMIT_BYTES = 10_240;
/** What Lambda takes as the event of a synchronous invocation. */
const EVENT_LIMIT_BYTES = 6_291_456;

/** The way of a request through the gateway, and of the answer back. */
export async function answer(api: Api, exchange: Exchange, incoming: IncomingMessage): Promise<Answer> {
  const body = await readBody(incoming);
  if (!Buffer.isBuffer(body)) return body;
  try {
    requireSoundHead(incoming);
    const request = describe(incoming, body, exchange);
    const match = api.match(request.method, request.path);
    if (match === undefined) throw new GatewayFault('MISSING_AUTHENTICATION_TOKEN');
    const event = JSON.stringify(buildEvent(request, match, api.identity));
    if (Buffer.byteLength(event) > EVENT_LIMIT_BYTES) throw new GatewayFault('REQUEST_TOO_LARGE');
    return readResponse(await integrate(api, match.route, event));
  } catch (error) {
    if (error instanceof GatewayFault) return api.answerFault(error.type, exchange.requestId);
    // The function's log says what went wrong.
    if (error instanceof InvocationError) return api.answerFault('DEFAULT_5XX', exchange.requestId);
    throw error;
  }
}

function requireSoundHead(incoming: IncomingMessage): void {
  const values = incoming.rawHeaders.filter((_, index) => index % 2 === 1);
  const requestLine = `${incoming.method} ${incoming.url} HTTP/${incoming.httpVersion}`;
  const bytes = [requestLine, ...values].reduce((sum, text) => sum + Buffer.byteLength(text, 'latin1'), 0);
  const hasHost = incoming.headers.host !== undefined || incoming.httpVersion === '1.0';
  if (bytes > HEAD_LIMIT_BYTES || !hasHost) throw new GatewayFault('DEFAULT_4XX');
}

function describe(incoming: IncomingMessage, body: Buffer, exchange: Exchange): GatewayRequest {
  // A client that takes us for its proxy sends the whole address.
  const target = (incoming.url ?? '/').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  const questionMark = target.indexOf('?');
  const path = questionMark < 0 ? target : target.slice(0, questionMark);
  return {
    ...exchange,
    method: incoming.method ?? 'GET',
    path: `/${path.replace(/^\/+/, '')}`,
    query: questionMark < 0 ? '' : target.slice(questionMark + 1),
    protocol: `HTTP/${incoming.httpVersion}`,
    rawHeaders: incoming.rawHeaders,
    sourceIp: (incoming.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
    port: incoming.socket.localPort ?? 0,
    body,
  };
}

/** A function that takes longer than the integration may is not waited for, and not stopped: as on AWS. */
async function integrate(api: Api, route: Route, event: string): Promise<string> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), route.timeoutMilliseconds);
  try {
    return await api.invoke(route.functionArn, event, timeout.signal);
  } catch (error) {
    throw timeout.signal.aborted ? new GatewayFault('INTEGRATION_TIMEOUT') : error;
  } finally {
    clearTimeout(timer);
  }
}
