import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Answer, decode, encode, type RecordType } from 'dns-packet';
import type { Closers } from './closers.ts';
import { type LookUp, makeLookUp } from './dns-lookup.ts';
import type { Print } from './function-log.ts';

const HOST = '127.0.0.1';
const RCODE = { noError: 0, nameError: 3, notImplemented: 4 } as const;
/** The lifetime that answers claim: they are asked for again soon enough. */
const TTL_SECONDS = 60;

export interface DnsSettings {
  readonly print: Print;
  /** In the place of the machine's own, as `address:port`. */
  readonly servers?: readonly string[];
}

/**
 * A resolver for the functions, between them and that of the machine: where there is none, it knows nothing, at once.
 * Without it each lookup would wait for a network that is not there.
 */
export async function startDns(
  settings: DnsSettings,
  closers: Closers,
): Promise<{ readonly address: string }> {
  const lookUp = makeLookUp(settings);
  const socket = createSocket('udp4');
  socket.on('error', () => undefined);
  socket.on('message', (query, { address, port }) => {
    void answer(query, lookUp).then((response) => {
      if (response !== undefined && open) socket.send(response, port, address);
    });
  });
  socket.bind(0, HOST);
  await once(socket, 'listening');
  let open = true;
  closers.defer(() => {
    open = false;
    socket.close();
  });
  return { address: `${HOST}:${socket.address().port}` };
}

/** Undefined: what came is no question. */
async function answer(query: Buffer, lookUp: LookUp): Promise<Buffer | undefined> {
  try {
    const { id, questions = [], type, flag_rd: recursionDesired } = decode(query);
    const [question] = questions;
    if (type !== 'query' || question === undefined) return undefined;
    const found = await lookUp(question.name, question.type);
    return encode({
      id,
      type: 'response',
      // Recursion is available, and was desired or not; the result code stands in the lowest four bits.
      flags: 0x80 | (recursionDesired ? 0x100 : 0) | RCODE[found.result],
      questions: [question],
      answers: found.data.map((data) => toAnswer(question.name, question.type, data)),
    });
  } catch {
    return undefined;
  }
}

function toAnswer(name: string, type: RecordType, data: unknown): Answer {
  return { name, type, ttl: TTL_SECONDS, class: 'IN', data } as Answer;
}
