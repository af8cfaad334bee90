import { Resolver } from 'node:dns/promises';
import { BoundedMap } from '../aws/bounded-map.ts';
import { OutsideFailure } from './failures.ts';
import { mailHostsOf } from './mail-provider.ts';
import { registrableDomain } from './website.ts';

export interface MailExchanges {
  /** The MX hosts of a domain, preferred ones first; none where there is no mail. Throws an OutsideFailure. */
  hostsOf(domain: string): Promise<readonly string[]>;
}

export interface MailExchangesOptions {
  readonly now: () => number;
  /** IP addresses, with a port or without; the system's own resolvers when empty. */
  readonly servers: readonly string[];
  readonly timeoutMilliseconds?: number;
}

interface Slow {
  readonly failure: OutsideFailure;
  readonly until: number;
}

interface Known {
  readonly hosts: readonly string[];
  readonly until: number;
}

const TIMEOUT_MS = 1_500;
const KEEP_HOSTS_MS = 60 * 60 * 1_000;
/** Shorter: a domain that was just set up gets its mail soon. */
const KEEP_NOTHING_MS = 5 * 60 * 1_000;
/**
 * A domain whose servers do not answer costs the whole timeout for each of its leads, while those of others wait. Less
 * than the 42 s after which a lead is looked up for the last time, so that an outage of DNS that has passed by then
 * leaves no lead incomplete.
 */
const KEEP_SLOW_MS = 40 * 1_000;
const MOST_DOMAINS = 2_000;

/** Nobody answered in time. What fails at once, such as SERVFAIL or a resolver that is not there, holds nobody up. */
const TIMEOUTS = new Set(['ETIMEOUT', 'ECANCELLED']);

/** Answers, not failures: there is no such domain, it has no MX, or no domain can have that name. */
const NO_HOSTS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

export function makeMailExchanges({
  now,
  servers,
  timeoutMilliseconds = TIMEOUT_MS,
}: MailExchangesOptions): MailExchanges {
  const known = new BoundedMap<Known>(MOST_DOMAINS);
  const slow = new BoundedMap<Slow>(MOST_DOMAINS);
  const underWay = new Map<string, Promise<readonly string[]>>();
  // A wrong address shows here, when the function starts, and not at the first lead.
  if (servers.length > 0) new Resolver().setServers(servers);

  async function ask(domain: string): Promise<readonly string[]> {
    // One for each question, so that giving up on this one cancels no other.
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMilliseconds / 3), tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    // Tries multiply by servers; this bounds the whole.
    const giveUp = setTimeout(() => resolver.cancel(), timeoutMilliseconds);
    try {
      return mailHostsOf(await resolver.resolveMx(domain));
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== undefined && NO_HOSTS.has(code)) return [];
      // The resolver's error names the domain, so only its code goes on.
      throw new OutsideFailure('dns', true, code);
    } finally {
      clearTimeout(giveUp);
    }
  }

  async function askAndRemember(domain: string): Promise<readonly string[]> {
    const owner = ownerOf(domain);
    const remembered = slow.get(owner);
    if (remembered && now() < remembered.until) throw remembered.failure;
    const hosts = await ask(domain).catch((error: unknown) => {
      if (error instanceof OutsideFailure && TIMEOUTS.has(error.code)) {
        slow.set(owner, { failure: error, until: now() + KEEP_SLOW_MS });
      }
      throw error;
    });
    known.set(domain, { hosts, until: now() + (hosts.length > 0 ? KEEP_HOSTS_MS : KEEP_NOTHING_MS) });
    return hosts;
  }

  return {
    async hostsOf(domain) {
      const remembered = known.get(domain);
      if (remembered && now() < remembered.until) return remembered.hosts;
      let answer = underWay.get(domain);
      if (!answer) {
        answer = askAndRemember(domain).finally(() => underWay.delete(domain));
        underWay.set(domain, answer);
      }
      return answer;
    },
  };
}

/** Whoever runs a domain runs the servers of all names below it, and could make up a new name for each lead. */
function ownerOf(domain: string): string {
  return registrableDomain(domain) ?? domain;
}
