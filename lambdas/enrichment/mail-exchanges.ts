import { Resolver } from 'node:dns/promises';
import { BoundedMap } from '../aws/bounded-map.ts';
import { isHostName, registrableDomain } from './contact-facts.ts';
import { ExternalFailure } from './external-failures.ts';

export interface MailExchange {
  readonly exchange: string;
  readonly priority: number;
}

const MAX_HOSTS = 10;

/**
 * The usable part of an MX answer: host names only, without duplicates, preferred ones first, and not too many:
 * the owner of a domain can publish anything. A single `.` means "no mail here" (RFC 7505) and leaves none.
 */
export function mailHostsOf(response: readonly MailExchange[]): string[] {
  const hosts = response
    .map(({ exchange, priority }) => ({ host: exchange.toLowerCase().replace(/\.$/, ''), priority }))
    .filter(({ host }) => isHostName(host))
    .sort((one, other) => one.priority - other.priority || (one.host < other.host ? -1 : 1));
  return [...new Set(hosts.map(({ host }) => host))].slice(0, MAX_HOSTS);
}

/** The end of a mail host's name, and who runs it. Hosts of free mail (gmail.com's own, outlook.com's) are others. */
const PROVIDERS: readonly (readonly [suffix: string, provider: string])[] = [
  ['aspmx.l.google.com', 'Google Workspace'],
  ['smtp.google.com', 'Google Workspace'],
  ['googlemail.com', 'Google Workspace'],
  ['mail.protection.outlook.com', 'Microsoft 365'],
  ['mx.microsoft', 'Microsoft 365'],
  ['zoho.com', 'Zoho Mail'],
  ['zoho.eu', 'Zoho Mail'],
  ['zoho.in', 'Zoho Mail'],
  ['zohomail.com', 'Zoho Mail'],
  ['messagingengine.com', 'Fastmail'],
  ['protonmail.ch', 'Proton Mail'],
  ['mail.icloud.com', 'iCloud Mail'],
  ['mx.yandex.net', 'Yandex 360'],
  ['mx.yandex.ru', 'Yandex 360'],
  ['emx.mail.ru', 'VK WorkSpace'],
  ['awsapps.com', 'Amazon WorkMail'],
  ['amazonaws.com', 'Amazon SES'],
  ['mimecast.com', 'Mimecast'],
  ['mimecast.co.za', 'Mimecast'],
  ['pphosted.com', 'Proofpoint'],
  ['ppe-hosted.com', 'Proofpoint'],
  ['barracudanetworks.com', 'Barracuda'],
  ['iphmx.com', 'Cisco Secure Email'],
  ['messagelabs.com', 'Symantec Email Security'],
  ['hornetsecurity.com', 'Hornetsecurity'],
  ['mail.ovh.net', 'OVHcloud'],
  ['ionos.com', 'IONOS'],
  ['ionos.de', 'IONOS'],
  ['kundenserver.de', 'IONOS'],
  ['1and1.com', 'IONOS'],
  ['mail.gandi.net', 'Gandi'],
  ['migadu.com', 'Migadu'],
  ['titan.email', 'Titan'],
  ['secureserver.net', 'GoDaddy'],
  ['emailsrvr.com', 'Rackspace'],
  ['registrar-servers.com', 'Namecheap'],
  ['privateemail.com', 'Namecheap'],
  ['mailbox.org', 'mailbox.org'],
  ['hostinger.com', 'Hostinger'],
  ['qiye.aliyun.com', 'Alibaba Mail'],
  ['exmail.qq.com', 'Tencent Exmail'],
  ['mxhichina.com', 'Alibaba Mail'],
];

/** No suffix distinguishes the inbound hosts of Amazon's two services: `inbound-smtp.<region>.amazonaws.com` is both. */
const AMAZON_INBOUND = /^inbound-smtp\.[a-z0-9-]+\.amazonaws\.com$/;

/** By the most preferred host that is known. */
export function mailProviderOf(hosts: readonly string[]): string | undefined {
  for (const host of hosts) {
    const found = PROVIDERS.find(([suffix]) => host === suffix || host.endsWith(`.${suffix}`));
    // Any machine on EC2 has a name under amazonaws.com.
    if (found && (found[0] !== 'amazonaws.com' || AMAZON_INBOUND.test(host))) return found[1];
  }
  return undefined;
}

export interface MailExchanges {
  /**
   * The hosts that take a domain's mail, preferred ones first; none if DNS says that it takes no mail. Throws an
   * ExternalFailure if DNS did not say: then nothing is known.
   */
  hostsOf(domain: string): Promise<readonly string[]>;
}

export interface MailExchangesOptions {
  readonly now: () => number;
  /** IP addresses, with a port or without; the system's own resolvers when empty. */
  readonly servers: readonly string[];
  readonly timeoutMilliseconds?: number;
}

interface Slow {
  readonly failure: ExternalFailure;
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
const MAX_DOMAINS = 2_000;

/** No answer in time. Failures that come at once, such as SERVFAIL or a missing resolver, delay nobody. */
const TIMEOUTS = new Set(['ETIMEOUT', 'ECANCELLED']);

/** Answers, not failures: there is no such domain, it has no such record, or no domain can have that name. */
const NO_RECORDS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** The resolver answers no questions of ours, and a retry changes nothing. */
const REFUSALS = new Set(['EREFUSED']);

export function makeMailExchanges({
  now,
  servers,
  timeoutMilliseconds = TIMEOUT_MS,
}: MailExchangesOptions): MailExchanges {
  const known = new BoundedMap<Known>(MAX_DOMAINS);
  const slow = new BoundedMap<Slow>(MAX_DOMAINS);
  const underWay = new Map<string, Promise<readonly string[]>>();
  // A wrong address shows here, when the function starts, and not at the first lead.
  if (servers.length > 0) new Resolver().setServers(servers);

  async function ask(domain: string): Promise<readonly string[]> {
    // One for each question, so that giving up on this one cancels no other.
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMilliseconds / 3), tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    // The resolver tries each server several times; this limits the total time.
    const giveUp = setTimeout(() => resolver.cancel(), timeoutMilliseconds);
    try {
      const exchanges = await responseTo(resolver.resolveMx(domain));
      if (exchanges !== 'ENODATA') return typeof exchanges === 'string' ? [] : mailHostsOf(exchanges);
      return (await hasAddress(resolver, domain)) ? [domain] : [];
    } finally {
      clearTimeout(giveUp);
    }
  }

  async function askAndCache(domain: string): Promise<readonly string[]> {
    const owner = ownerOf(domain);
    const remembered = slow.get(owner);
    if (remembered && now() < remembered.until) throw remembered.failure;
    const hosts = await ask(domain).catch((error: unknown) => {
      if (error instanceof ExternalFailure && TIMEOUTS.has(error.code)) {
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
      let response = underWay.get(domain);
      if (!response) {
        response = askAndCache(domain).finally(() => underWay.delete(domain));
        underWay.set(domain, response);
      }
      return response;
    },
  };
}

/** The records, or the code of an answer that there are none. */
async function responseTo<Records>(query: Promise<Records>): Promise<Records | string> {
  try {
    return await query;
  } catch (error) {
    const { code = 'UNKNOWN' } = error as { code?: string };
    if (NO_RECORDS.has(code)) return code;
    // The resolver's error names the domain, so only its code goes on.
    throw new ExternalFailure('dns', !REFUSALS.has(code), code);
  }
}

/** A domain without MX takes mail at its own address (RFC 5321, section 5.1). */
async function hasAddress(resolver: Resolver, domain: string): Promise<boolean> {
  return (
    typeof (await responseTo(resolver.resolve4(domain))) !== 'string' ||
    typeof (await responseTo(resolver.resolve6(domain))) !== 'string'
  );
}

/** A domain's owner also runs the servers of its subdomains, and could invent a new name for each lead. */
function ownerOf(domain: string): string {
  return registrableDomain(domain) ?? domain;
}
