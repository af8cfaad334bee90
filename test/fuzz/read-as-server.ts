import { createServer, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** One request as an HTTP server sees it. */
export interface ReadRequest {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  /** Names and values as they came. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** What a server can make of the bytes of one connection. */
export interface Reading {
  /** Those that are complete, in order. */
  readonly requests: readonly ReadRequest[];
  /** What follows them: nothing, the beginning of something, or what is no HTTP. */
  readonly rest: 'nothing' | 'unfinished' | 'not HTTP';
  /** Of the request whose head was sound and whose body never ended. */
  readonly unfinishedMethod?: string | undefined;
}

interface State {
  readonly incoming: { readonly request: IncomingMessage; readonly chunks: Buffer[]; ended: boolean }[];
  refused: boolean;
}

const states = new WeakMap<Duplex, State>();

/** Never listens: connections are handed to it. Reads with the options of the local gateway. */
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
 * Says how many answers to wait for, and to which requests. Node's parser is not what is tried here: what the service
 * makes of the requests is.
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
  // A parser that is in the middle of something complains when nothing more comes.
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
