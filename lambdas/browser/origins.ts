import { getPublicSuffix } from 'tldts';
import { DNS_NAME, IP_ADDRESS, MAX_ORIGIN_LENGTH, parseOrigin, type WebOrigin } from './sent-origin.ts';

const WILDCARD = '*.';

/** Whether a form's list allows an origin. Hosts are compared after parsing, and `*` stands for exactly one label. */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  const sent = parseOrigin(origin);
  return sent !== undefined && allowed.some((entry) => matches(sent, entry));
}

function matches(sent: WebOrigin, entry: string): boolean {
  const url = URL.parse(entry);
  if (url?.protocol !== sent.scheme || url.port !== sent.port) return false;
  if (!url.hostname.startsWith(WILDCARD)) return url.hostname === sent.host;
  const domain = url.hostname.slice(WILDCARD.length);
  // A stored entry was checked with the list of its day, which may have grown since. And below a domain that one owner
  // has, there may be a name that is shared: s3.amazonaws.com.
  return domain === parentOf(sent.host) && !isSharedSuffix(domain) && suffixOf(sent.host) !== sent.host;
}

function parentOf(host: string): string | undefined {
  const dot = host.indexOf('.');
  return dot > 0 && DNS_NAME.test(host) && !IP_ADDRESS.test(host) ? host.slice(dot + 1) : undefined;
}

const suffixOf = (host: string) => getPublicSuffix(host, { allowPrivateDomains: true });

/** Names below such a suffix belong to different people, as below `co.uk` and, in the private section, `github.io`. */
function isSharedSuffix(domain: string): boolean {
  // Some rules are wildcards: kawasaki.jp is no suffix, but every name directly below it is one.
  return suffixOf(domain) === domain || suffixOf(`any.${domain}`) === `any.${domain}`;
}

export type CheckedOrigin =
  | { readonly origin: string; readonly problem?: undefined }
  | { readonly origin?: undefined; readonly problem: string };

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** An entry of the list as it is stored, or what is wrong with it. A trailing slash and capitals are tidied up. */
export function checkAllowedOrigin(text: string): CheckedOrigin {
  const given = text.trim();
  if (given === '*' || given === 'null') return refuse('must name a site, such as https://www.example.com');
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? URL.parse(given) : undefined;
  if (url === undefined) return refuse('must start with https://');
  if (url === null) return refuse('is not a valid origin');
  if (url.username || url.password) return refuse('must not contain a user name or password');
  if (url.pathname !== '/' || /[?#]/.test(given)) {
    return refuse('must be an origin without a path, such as https://www.example.com');
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    return refuse('must start with https://; http:// is for localhost only');
  }
  if (!/^https?:$/.test(url.protocol)) return refuse('must start with https://');
  return checkHost(url);
}

function checkHost({ hostname, origin }: URL): CheckedOrigin {
  const wildcard = hostname.startsWith(WILDCARD);
  const domain = wildcard ? hostname.slice(WILDCARD.length) : hostname;
  if (domain.includes('*')) {
    return refuse('can have * only as its whole first label, as in https://*.example.com');
  }
  const isAddress = IP_ADDRESS.test(domain);
  if (!isAddress && !DNS_NAME.test(domain)) return refuse('has a host name that is not valid');
  if (origin.length > MAX_ORIGIN_LENGTH) return refuse(`must have at most ${MAX_ORIGIN_LENGTH} characters`);
  if (wildcard && isAddress) return refuse('cannot have * in front of an IP address');
  if (wildcard && isSharedSuffix(domain)) {
    return refuse(`is too broad: sites below ${domain} belong to different owners`);
  }
  return { origin };
}

function refuse(problem: string): CheckedOrigin {
  return { problem };
}

export const MAX_ORIGINS = 20;

export type CheckedOrigins =
  | { readonly origins: readonly string[]; readonly problem?: undefined }
  /** Without an index, the problem is the whole list. */
  | { readonly origins?: undefined; readonly problem: string; readonly index?: number };

/** A form's whole list as it is stored, or the first problem with it. */
export function checkAllowedOrigins(entries: readonly string[]): CheckedOrigins {
  if (entries.length > MAX_ORIGINS) return { problem: `can have at most ${MAX_ORIGINS} entries` };
  const origins: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const { origin, problem } = checkAllowedOrigin(entry);
    if (origin === undefined) return { problem, index };
    if (origins.includes(origin)) return { problem: 'is listed twice', index };
    origins.push(origin);
  }
  return { origins };
}
