import { randomBytes, randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Answer } from './gateway-responses.ts';

/** One request and its answer. */
export interface Exchange {
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly receivedAt: number;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** As in API Gateway, a client can choose the request id by sending one, if it is a UUID. The extended one it cannot. */
export function openExchange(askedFor?: string | string[]): Exchange {
  return {
    requestId: typeof askedFor === 'string' && UUID.test(askedFor) ? askedFor : randomUUID(),
    extendedRequestId: randomBytes(11).toString('base64'),
    receivedAt: Date.now(),
  };
}

export function sendAnswer(response: ServerResponse, answer: Answer): void {
  if (response.destroyed) return;
  response.writeHead(answer.statusCode, headersOf(answer).flat());
  // While an answer waits for those before it, Node puts its head in front of all that waits, if bytes follow: also in
  // front of a "100 Continue" that was said already. A head that is sent by itself takes its place at the end.
  if (response.req.headers.expect !== undefined) response.flushHeaders();
  response.end(answer.body);
}

/** For a connection that Node could not make a request of. */
export function sendRaw(socket: Duplex, answer: Answer, exchange: Exchange): void {
  const headers = [
    ...headersOf(answer),
    ['Date', new Date(exchange.receivedAt).toUTCString()],
    ['Connection', 'close'],
  ];
  const head = [
    `HTTP/1.1 ${answer.statusCode} ${STATUS_CODES[answer.statusCode] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), answer.body]));
}

function headersOf(answer: Answer): (readonly [string, string])[] {
  const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304;
  return [...answer.headers, ...(hasBody ? [['Content-Length', String(answer.body.length)] as const] : [])];
}
