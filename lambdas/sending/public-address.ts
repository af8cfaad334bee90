import { BlockList, isIP } from 'node:net';

/** Why an address cannot be used, as a predicate for the field `url`. */
export class AddressFault extends Error {
  override readonly name = 'AddressFault';
}

const MAX_URL_LENGTH = 2_000;

/** Everything that is not the public internet, as of the IANA registry of special-purpose addresses. */
const SPECIAL_RANGES = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

const special = new BlockList();
for (const range of SPECIAL_RANGES) {
  const [address, prefix] = range.split('/') as [string, string];
  special.addSubnet(address, Number(prefix), 'ipv4');
}

/** Only IPv4: names are resolved by their A records alone, so no mapped or tunnelled form of an address exists. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) === 4 && !special.check(address, 'ipv4');
}

export function isLoopbackUrl(url: URL): boolean {
  return url.protocol === 'http:' && url.hostname === '127.0.0.1';
}

/** A name ends with letters. Node calls no `lookup` for an address, so none must pass. */
const HOST_NAME =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/;

/** Names that mean the same machine or network everywhere. */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

export interface AddressOptions {
  /** On a laptop only: `http://127.0.0.1` with any port. */
  readonly allowLoopback: boolean;
}

/** Reads the URL of a webhook, or throws an AddressFault that says what is wrong with it. */
export function parseDestinationUrl(text: string, { allowLoopback }: AddressOptions): URL {
  if (text.length > MAX_URL_LENGTH) throw new AddressFault(`must have at most ${MAX_URL_LENGTH} characters`);
  const url = URL.parse(text);
  if (!url) throw new AddressFault('must be a URL, such as https://example.com/leads');
  if (allowLoopback && isLoopbackUrl(url) && !url.username && !url.password) return url;
  if (url.protocol !== 'https:') throw new AddressFault('must begin with https://');
  if (url.username || url.password) throw new AddressFault('must not contain a user name or password');
  if (url.port !== '') throw new AddressFault('must use the default port 443');
  if (url.hash !== '') throw new AddressFault('must not contain a fragment (#)');
  if (!HOST_NAME.test(url.hostname) || LOCAL_NAMES.test(url.hostname)) {
    throw new AddressFault('must contain a public host name, not an IP address or a local name');
  }
  return url;
}
