import { Resolver } from 'node:dns/promises';
import type { Print } from './function-log.ts';

export interface Found {
  readonly result: 'noError' | 'nameError' | 'notImplemented';
  /** In the form in which dns-packet wants them. */
  readonly data: readonly unknown[];
}

/** Never rejects: whoever cannot be asked has not said anything. */
export type LookUp = (name: string, type: string) => Promise<Found>;

export interface LookUpSettings {
  readonly print: Print;
  readonly servers?: readonly string[];
}

const TIMEOUT_MILLISECONDS = 700;
const REMEMBERED_MILLISECONDS = 60_000;
const REMEMBERED_NAMES = 1_000;
const SILENCE_MILLISECONDS = 30_000;
const NO_DATA: Found = { result: 'noError', data: [] };
const NO_SUCH_NAME: Found = { result: 'nameError', data: [] };

/** Asks the machine's own resolvers. After they could not be reached nobody waits for them, for half a minute. */
export function makeLookUp({ print, servers }: LookUpSettings): LookUp {
  const resolver = new Resolver({ timeout: TIMEOUT_MILLISECONDS, tries: 1 });
  if (servers !== undefined) resolver.setServers(servers);
  const remembered = new Map<string, { readonly found: Promise<Found>; readonly until: number }>();
  let silentUntil = 0;
  let said = false;

  async function ask(name: string, type: string): Promise<Found> {
    const query = QUERIES[type];
    if (query === undefined) return { result: 'notImplemented', data: [] };
    try {
      return { result: 'noError', data: await within(query(resolver, name)) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTFOUND') return NO_SUCH_NAME;
      if (UNREACHABLE.has(code ?? '')) noteSilence();
      return NO_DATA;
    }
  }

  function noteSilence(): void {
    silentUntil = performance.now() + SILENCE_MILLISECONDS;
    if (!said) print('No DNS on this machine: mail hosts stay unknown.');
    said = true;
  }

  async function remember(name: string, type: string): Promise<Found> {
    const key = `${type} ${name.toLowerCase()}`;
    const known = remembered.get(key);
    if (known !== undefined && known.until > performance.now()) return known.found;
    const found = ask(name, type);
    if (remembered.size >= REMEMBERED_NAMES) remembered.clear();
    remembered.set(key, { found, until: performance.now() + REMEMBERED_MILLISECONDS });
    // That nobody answered says nothing about the name.
    if ((await found) === NO_DATA) remembered.delete(key);
    return found;
  }

  return async (name, type) => {
    if (silentUntil > performance.now()) return NO_DATA;
    const found = await remember(name, type);
    if (found !== NO_SUCH_NAME || (await remember('com', 'NS')) !== NO_SUCH_NAME) return found;
    // Some networks deny every name but their own: a resolver that knows no `com` knows nothing of others.
    noteSilence();
    return NO_DATA;
  };
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ETIMEOUT', 'ECANCELLED', 'EAI_AGAIN', 'ENETUNREACH']);

/** Several resolvers are asked in turn; together they get no longer than one. */
async function within<Result>(query: Promise<Result>): Promise<Result> {
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
