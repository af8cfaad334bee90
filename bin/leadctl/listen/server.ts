import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../../operator/failure.ts';
import { parseMessageBody, type ReceivedMessage } from './describe-message.ts';
import { problemOf } from './verify-message.ts';

export interface ListenerOptions {
  readonly key: Buffer;
  readonly now: () => number;
  /** @param text the body as it was sent. */
  readonly onMessage: (message: ReceivedMessage, text: string) => void;
  readonly onRefusal: (reason: string) => void;
}

/** More than any message: a lead's body has at most 10 MB. */
const LONGEST_BODY = 16 * 1024 * 1024;

/** Receives messages as an owner's system would: 204 for a genuine one, 401 with the reason for all others. */
export function makeListener({ key, now, onMessage, onRefusal }: ListenerOptions): Server {
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const answer = (status: number, text?: string) => {
      if (text !== undefined) onRefusal(text);
      response.writeHead(status, text === undefined ? {} : { 'content-type': 'text/plain; charset=utf-8' });
      response.end(text === undefined ? undefined : `${text}\n`);
    };
    if (request.method !== 'POST') return answer(405, `Messages are sent by POST, not ${request.method}.`);
    const body = await bodyOf(request);
    if (body === undefined) return answer(413, 'The body is longer than that of any message.');
    const problem = problemOf(request.headers, body, key, now());
    if (problem !== undefined) return answer(401, problem);
    const text = body.toString('utf8');
    const parsed = parseMessageBody(text);
    if (!parsed) return answer(400, 'The signature matches, but the body is not a JSON object.');
    const messageId = String(request.headers['webhook-id']);
    onMessage({ messageId, receivedAt: new Date(now()).toISOString(), body: parsed }, text);
    return answer(204);
  };
  return createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > LONGEST_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the address to send messages to. On this machine only: nobody else can reach the listener. */
export function openPort(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portFailure(error, port)));
    server.listen(port, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    });
  });
}

function portFailure(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new Failure('port_in_use', `Port ${port} is in use. Choose another with --port.`);
  }
  if (error.code === 'EACCES') {
    return new Failure(
      'port_not_allowed',
      `You are not allowed to use port ${port}. Choose one above 1023 with --port.`,
    );
  }
  return error;
}

/** Resolves when no connection is left. */
export function closePort(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
