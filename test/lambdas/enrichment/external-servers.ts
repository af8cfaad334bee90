import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, type Packet } from 'dns-packet';

/** How the server treats a query; a silent one never responds. */
export type DnsBehaviour =
  | {
      readonly exchanges: readonly (readonly [priority: number, exchange: string])[];
      readonly A?: string;
      readonly AAAA?: string;
    }
  /** No MX, and this when asked for an address. */
  | { readonly addresses: DnsBehaviour }
  | { readonly rcode: 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' }
  | 'silent'
  | 'wrong id'
  | 'garbage';

const RCODES = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 };

/** A real DNS server on loopback that behaves by domain. */
export async function startDnsServer(behaviours: Map<string, DnsBehaviour>) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  /** The types of the records that were asked for, in the same order. */
  const types: string[] = [];

  socket.on('message', (message: Buffer, from: RemoteInfo) => {
    const query = decode(message);
    const name = query.questions?.[0]?.name.toLowerCase() ?? '';
    const type = query.questions?.[0]?.type ?? '';
    asked.push(name);
    types.push(type);
    const reply = replyTo(query, name, type, behaviours.get(name) ?? NO_DATA);
    if (reply) socket.send(reply, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');

  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    types,
    behaviours,
    close: () => new Promise<void>((resolve) => void socket.close(() => resolve())),
  };
}

const NO_DATA: DnsBehaviour = { exchanges: [] };

function replyTo(query: Packet, name: string, type: string, behaviour: DnsBehaviour): Buffer | undefined {
  if (behaviour === 'silent') return undefined;
  if (behaviour === 'garbage') return Buffer.from('not a packet at all');
  if (typeof behaviour === 'object' && 'addresses' in behaviour) {
    return replyTo(query, name, type, type === 'MX' ? NO_DATA : behaviour.addresses);
  }
  const answers =
    typeof behaviour === 'object' && 'exchanges' in behaviour ? answersOf(name, type, behaviour) : [];
  const rcode = typeof behaviour === 'object' && 'rcode' in behaviour ? RCODES[behaviour.rcode] : 0;
  return encode({
    type: 'response',
    id: behaviour === 'wrong id' ? ((query.id ?? 0) + 1) & 0xffff : (query.id ?? 0),
    flags: AUTHORITATIVE_ANSWER | rcode,
    questions: query.questions ?? [],
    answers,
  });
}

function answersOf(
  name: string,
  type: string,
  { exchanges, ...addresses }: Extract<DnsBehaviour, { exchanges: unknown }>,
): Answer[] {
  if (type === 'A' || type === 'AAAA') {
    const data = addresses[type];
    return data === undefined ? [] : [{ name, type, ttl: 60, data }];
  }
  return exchanges.map(([preference, exchange]) => ({
    name,
    type: 'MX',
    ttl: 60,
    data: { preference, exchange },
  }));
}

export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

type Reply = (response: ServerResponse, request: IncomingMessage) => void;

/** A real HTTP server on loopback that plays these replies, one per request, and repeats the last. */
export async function startProviderServer() {
  const received: ReceivedRequest[] = [];
  let replies: Reply[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    received.push({ method: request.method, authorization: request.headers.authorization, body });
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    reply?.(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/enrich`,
    received,
    play(...next: Reply[]) {
      received.length = 0;
      replies = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

export const respondWith =
  (status: number, body: unknown = '', headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

export const hangUp: Reply = (response) => void response.destroy();

/** Never responds; the connection stays open. */
export const stall: Reply = () => undefined;

/** Sends the head and part of the body, and then nothing. */
export const stallInBody: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"employees":');
};
