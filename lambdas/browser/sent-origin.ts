import { type Headers, singleHeader } from '../model/headers.ts';

/** What the `Origin` header of a request says. Sandboxed pages and files send `null`, which is no origin. */
export type SentOrigin = { readonly origin: string } | 'missing' | 'malformed';

export function sentOrigin(headers: Headers): SentOrigin {
  const header = singleHeader(headers, 'origin');
  if (header === undefined) return 'missing';
  if (header === 'repeated') return 'malformed';
  if (header.value === '' || header.value === 'null') return 'missing';
  return parseOrigin(header.value) ? { origin: header.value } : 'malformed';
}

/**
 * What tokens are bound to. Without an origin, a token is minted too, and its lead is then rejected: only that is
 * recorded for the owner.
 */
export function boundOrigin(headers: Headers): string {
  const sent = sentOrigin(headers);
  return typeof sent === 'string' ? '' : sent.origin;
}

export interface WebOrigin {
  readonly scheme: string;
  readonly host: string;
  /** Empty for the scheme's own port. */
  readonly port: string;
}

/** `https://` and the longest name that DNS allows, with a port. */
export const MAX_ORIGIN_LENGTH = 'https://'.length + 253 + ':65535'.length;
export const DNS_NAME =
  /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
export const IP_ADDRESS = /^(?:\[[0-9a-f:.]+\]|[0-9]+(?:\.[0-9]+){3})$/;

/** Only as browsers write it: scheme, host and port in lower case, and nothing else. */
export function parseOrigin(text: string): WebOrigin | undefined {
  if (text.length > MAX_ORIGIN_LENGTH) return undefined;
  const url = URL.parse(text);
  if (!url || url.origin !== text || !/^https?:$/.test(url.protocol)) return undefined;
  const { protocol, hostname, port } = url;
  if (!DNS_NAME.test(hostname) && !IP_ADDRESS.test(hostname)) return undefined;
  return { scheme: protocol, host: hostname, port };
}
