import type { IncomingMessage } from 'node:http';
import type { GatewayRequest } from './event.ts';
import type { Exchange } from './exchange.ts';

/** Of the request line and the values of all headers: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const HEAD_LIMIT_BYTES = 10_240;

/** Whether API Gateway takes such a head at all. */
export function isSoundHead(incoming: IncomingMessage): boolean {
  const values = incoming.rawHeaders.filter((_, index) => index % 2 === 1);
  const requestLine = `${incoming.method} ${incoming.url} HTTP/${incoming.httpVersion}`;
  const bytes = [requestLine, ...values].reduce((sum, text) => sum + Buffer.byteLength(text, 'latin1'), 0);
  const hasHost = incoming.headers.host !== undefined || incoming.httpVersion === '1.0';
  return bytes <= HEAD_LIMIT_BYTES && hasHost;
}

export function describeRequest(incoming: IncomingMessage, body: Buffer, exchange: Exchange): GatewayRequest {
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
