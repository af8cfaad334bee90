import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { type Answer, decode, encode, type RecordType } from 'dns-packet';
import type { Print } from './function-log.ts';
import type { Closers } from './lifecycle.ts';

const HOST = '127.0.0.1';
const RCODE = { noError: 0, serverFailure: 2, nameError: 3, notImplemented: 4, refused: 5 } as const;
/** The lifetime in answers. */
const TTL_SECONDS = 60;

export interface DnsSettings {
  readonly print: Print;
  /** Instead of the machine's own resolvers, as `address:port`. */
  readonly servers?: readonly string[];
}

/**
 * A DNS server for the functions that forwards to the machine's resolver. Without a network it refuses every question at
 * once, where each lookup would otherwise wait for its timeout. An empty answer would say that no domain takes mail.
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

/** Undefined if the packet is not a question. */
async function answer(query: Buffer, lookUp: LookUp): Promise<Buffer | undefined> {
  try {
    const { id, questions = [], type, flag_rd: recursionDesired } = decode(query);
    const [question] = questions;
    if (type !== 'query' || question === undefined) return undefined;
    const found = await lookUp(question.name, question.type);
    return encode({
      id,
      type: 'response',
      // Recursion available, recursion desired (if it was), and the result code in the lowest four bits.
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

export interface Found {
  readonly result: keyof typeof RCODE;
  /** In the form that dns-packet expects. */
  readonly data: readonly unknown[];
}

/** Never rejects: if the resolver is unreachable, the question is refused. */
export type LookUp = (name: string, type: string) => Promise<Found>;

export interface LookUpSettings {
  readonly print: Print;
  readonly servers?: readonly string[];
}

const TIMEOUT_MILLISECONDS = 700;
const CACHE_MILLISECONDS = 60_000;
const CACHE_NAMES = 1_000;
const PAUSE_MILLISECONDS = 30_000;
const NO_DATA: Found = { result: 'noError', data: [] };
const NO_SUCH_NAME: Found = { result: 'nameError', data: [] };
const NO_ANSWER: Found = { result: 'serverFailure', data: [] };
const REFUSED: Found = { result: 'refused', data: [] };

/** Asks the machine's own resolvers. If they can't be reached, it stops asking for half a minute. */
export function makeLookUp({ print, servers }: LookUpSettings): LookUp {
  const resolver = new Resolver({ timeout: TIMEOUT_MILLISECONDS, tries: 1 });
  if (servers !== undefined) resolver.setServers(servers);
  const cache = new Map<string, { readonly found: Promise<Found>; readonly until: number }>();
  let pausedUntil = 0;
  let warned = false;

  async function ask(name: string, type: string): Promise<Found> {
    const query = QUERIES[type];
    if (query === undefined) return { result: 'notImplemented', data: [] };
    try {
      return { result: 'noError', data: await withTimeout(query(resolver, name)) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTFOUND') return NO_SUCH_NAME;
      if (code === 'ENODATA') return NO_DATA;
      if (!UNREACHABLE.has(code ?? '')) return NO_ANSWER;
      pauseLookups();
      return REFUSED;
    }
  }

  function pauseLookups(): void {
    pausedUntil = performance.now() + PAUSE_MILLISECONDS;
    if (!warned) print('No DNS on this machine: mail hosts will be unknown.');
    warned = true;
  }

  async function cachedLookup(name: string, type: string): Promise<Found> {
    const key = `${type} ${name.toLowerCase()}`;
    const known = cache.get(key);
    if (known !== undefined && known.until > performance.now()) return known.found;
    const found = ask(name, type);
    if (cache.size >= CACHE_NAMES) cache.clear();
    cache.set(key, { found, until: performance.now() + CACHE_MILLISECONDS });
    // A missing answer says nothing about the name.
    const { result } = await found;
    if (result !== 'noError' && result !== 'nameError') cache.delete(key);
    return found;
  }

  return async (name, type) => {
    if (pausedUntil > performance.now()) return REFUSED;
    const found = await cachedLookup(name, type);
    if (found !== NO_SUCH_NAME && found !== NO_ANSWER) return found;
    if ((await cachedLookup('com', 'NS')).result === 'noError') return found;
    // Some networks deny or fail every name but their own. A resolver that doesn't know `com` can't be trusted.
    pauseLookups();
    return REFUSED;
  };
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ETIMEOUT', 'ECANCELLED', 'EAI_AGAIN', 'ENETUNREACH']);

/** Several resolvers are asked in turn. Together they get as much time as one. */
async function withTimeout<Result>(query: Promise<Result>): Promise<Result> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(Object.assign(new Error('no answer'), { code: 'ETIMEOUT' })),
    TIMEOUT_MILLISECONDS + 50,
  );
  return Promise.race([query, timeout.promise]).finally(() => clearTimeout(timer));
}

const QUERIES: Readonly<Record<string, (resolver: Resolver, name: string) => Promise<unknown[]>>> = {
  A: (resolver, name) => resolver.resolve4(name),
  AAAA: (resolver, name) => resolver.resolve6(name),
  CNAME: (resolver, name) => resolver.resolveCname(name),
  MX: async (resolver, name) =>
    (await resolver.resolveMx(name)).map(({ priority, exchange }) => ({ preference: priority, exchange })),
  NS: (resolver, name) => resolver.resolveNs(name),
  TXT: (resolver, name) => resolver.resolveTxt(name),
};
