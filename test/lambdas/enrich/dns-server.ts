import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, type Packet } from 'dns-packet';

/** What the server does with a question; a silent one never answers. */
export type DnsBehaviour =
  | { readonly exchanges: readonly (readonly [priority: number, exchange: string])[] }
  | { readonly rcode: 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' }
  | 'silent'
  | 'wrong id'
  | 'garbage';

const RCODES = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 };

/** A real DNS server on loopback that behaves by domain. */
export async function startDnsServer(behaviours: Map<string, DnsBehaviour>) {
  const socket = createSocket('udp4');
  const asked: string[] = [];

  socket.on('message', (message: Buffer, from: RemoteInfo) => {
    const query = decode(message);
    const name = query.questions?.[0]?.name.toLowerCase() ?? '';
    asked.push(name);
    const reply = replyTo(query, name, behaviours.get(name) ?? { exchanges: [] });
    if (reply) socket.send(reply, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');

  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    behaviours,
    close: () => new Promise<void>((resolve) => void socket.close(() => resolve())),
  };
}

function replyTo(query: Packet, name: string, behaviour: DnsBehaviour): Buffer | undefined {
  if (behaviour === 'silent') return undefined;
  if (behaviour === 'garbage') return Buffer.from('not a packet at all');
  const answers: Answer[] =
    typeof behaviour === 'object' && 'exchanges' in behaviour
      ? behaviour.exchanges.map(([preference, exchange]) => ({
          name,
          type: 'MX' as const,
          ttl: 60,
          data: { preference, exchange },
        }))
      : [];
  const rcode = typeof behaviour === 'object' && 'rcode' in behaviour ? RCODES[behaviour.rcode] : 0;
  return encode({
    type: 'response',
    id: behaviour === 'wrong id' ? ((query.id ?? 0) + 1) & 0xffff : (query.id ?? 0),
    flags: AUTHORITATIVE_ANSWER | rcode,
    questions: query.questions ?? [],
    answers,
  });
}
