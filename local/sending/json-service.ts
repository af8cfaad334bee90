import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Closers } from '../lifecycle.ts';
import { isFromProgram, listenOnLoopback } from '../loopback.ts';

/** A request that the service refuses, with the name of AWS's error. */
export class ServiceFault extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** Answers an operation with an object. Throws a ServiceFault to refuse it. */
export type Answer = (request: IncomingMessage, body: unknown) => Promise<object>;

/** Serves a small AWS API to programs on this machine. Returns its address. */
export function startJsonService(answer: Answer, closers: Closers): Promise<string> {
  const server = createServer(async (request, response) => {
    if (!isFromProgram(request)) {
      response.writeHead(403).end();
      return;
    }
    const [status, result] = await json(request)
      .then((body) => answer(request, body))
      .then((found) => [200, found] as const, refusal);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(result));
  });
  // Functions keep their connections open.
  server.keepAliveTimeout = 0;
  return listenOnLoopback(server, closers);
}

/** REST services name the message `message`, the others `Message`. */
function refusal(error: Error) {
  const { name, message } = error;
  return [error instanceof ServiceFault ? 400 : 500, { __type: name, message, Message: message }] as const;
}
