import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { BODY_OVER_10_MB, CORRUPT_CODING, type HttpResponse } from './gateway-responses.ts';
import type { GatewayRequest } from './rest-event.ts';

/** One request and its response. */
export interface Exchange {
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly receivedAt: number;
}

/** Request line and header values together: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const HEAD_LIMIT_BYTES = 10_240;

/** Whether API Gateway accepts the request line and headers. */
export function isValidHead(incoming: IncomingMessage): boolean {
  const values = incoming.rawHeaders.filter((_, index) => index % 2 === 1);
  const requestLine = `${incoming.method} ${incoming.url} HTTP/${incoming.httpVersion}`;
  const bytes = [requestLine, ...values].reduce((sum, text) => sum + Buffer.byteLength(text, 'latin1'), 0);
  const hasHost = incoming.headers.host !== undefined || incoming.httpVersion === '1.0';
  return bytes <= HEAD_LIMIT_BYTES && hasHost;
}

export function describeRequest(incoming: IncomingMessage, body: Buffer, exchange: Exchange): GatewayRequest {
  // Clients that use us as a proxy send the whole URL.
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

const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
/** Oversized bodies are read up to this size, so that the client receives the error. */
const DRAIN_LIMIT_BYTES = 64 * 1024 * 1024;

/** The client went away before its request was complete. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';
}

/** The body as a REST API passes it to a function, or the gateway's error. */
export async function readBody(request: IncomingMessage): Promise<Buffer | HttpResponse> {
  const body = await collectBody(request);
  return body === undefined ? BODY_OVER_10_MB : decompress(body, request.headers['content-encoding']);
}

/** The body as received, or undefined if it exceeds the gateway's limit. */
export async function collectBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length <= BODY_LIMIT_BYTES) chunks.push(chunk);
      else chunks.length = 0;
      if (length > DRAIN_LIMIT_BYTES) break;
    }
  } catch {
    throw new ClientDisconnected();
  }
  return length > BODY_LIMIT_BYTES ? undefined : Buffer.concat(chunks);
}

const DECODERS = new Map([
  ['gzip', gunzip],
  ['deflate', inflate],
]);

async function decompress(body: Buffer, coding: string | undefined): Promise<Buffer | HttpResponse> {
  const decoder = DECODERS.get(coding?.trim().toLowerCase() ?? '');
  if (decoder === undefined || body.length === 0) return body;
  try {
    return await promisify<Buffer, { maxOutputLength: number }, Buffer>(decoder)(body, {
      maxOutputLength: BODY_LIMIT_BYTES,
    });
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return tooLarge ? BODY_OVER_10_MB : CORRUPT_CODING;
  }
}
