import { createServer, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** One request as an HTTP server sees it. */
export interface ReadRequest {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  /** Names and values as received. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** How a server parses the bytes of one connection. */
export interface Reading {
  /** The complete requests, in order. */
  readonly requests: readonly ReadRequest[];
  /** What follows them: nothing, an unfinished request, or bytes that are not HTTP. */
  readonly rest: 'nothing' | 'unfinished' | 'not HTTP';
  /** The method of a request with a valid head and an incomplete body. */
  readonly unfinishedMethod?: string | undefined;
}

interface State {
  readonly incoming: { readonly request: IncomingMessage; readonly chunks: Buffer[]; ended: boolean }[];
  refused: boolean;
}

const states = new WeakMap<Duplex, State>();

/** Never listens: connections are passed to it. Parses with the options of the local gateway. */
const server = createServer({ maxHeaderSize: 64 * 1024, requireHostHeader: false });
for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) server.on(event, collect);
for (const event of ['connect', 'clientError'] as const) {
  server.on(event, (_: unknown, socket: Duplex) => {
    const state = states.get(socket);
    if (state) state.refused = true;
  });
}

function collect(request: IncomingMessage): void {
  const read = { request, chunks: [] as Buffer[], ended: false };
  states.get(request.socket)?.incoming.push(read);
  request.on('data', (chunk: Buffer) => read.chunks.push(chunk));
  request.on('end', () => {
    read.ended = true;
  });
  request.on('error', () => undefined);
}

/**
 * Tells how many responses to wait for, and for which requests. Uses Node's parser because the test is about the service,
 * not about parsing HTTP.
 */
export async function readAsServer(bytes: Buffer): Promise<Reading> {
  const state: State = { incoming: [], refused: false };
  const wire = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  wire.on('error', () => undefined);
  states.set(wire, state);
  server.emit('connection', wire);
  wire.push(bytes);
  do await nextTurn();
  while (wire.readableLength > 0 || state.incoming.some(({ request, ended }) => request.complete && !ended));
  const { refused } = state;
  // A parser in the middle of a request reports an error at the end of the stream.
  wire.push(null);
  for (let turns = 0; turns < 2; turns += 1) await nextTurn();
  wire.destroy();
  const complete = state.incoming.filter(({ request }) => request.complete);
  return {
    requests: complete.map(({ request, chunks }) => toRead(request, Buffer.concat(chunks))),
    unfinishedMethod: state.incoming.find(({ request }) => !request.complete)?.request.method,
    rest: refused ? 'not HTTP' : state.refused ? 'unfinished' : 'nothing',
  };
}

function toRead(request: IncomingMessage, body: Buffer): ReadRequest {
  const { rawHeaders, httpVersion, method = '', url = '' } = request;
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
  );
  return { method, target: url, version: httpVersion, headers, body };
}
