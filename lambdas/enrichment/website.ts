import { getDomain } from 'tldts';

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** Letters, digits and hyphens in labels of up to 63, at least two of them, in lower case and without a last dot. */
export function isHostName(host: string): boolean {
  const labels = host.split('.');
  return host.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label));
}

/** The ASCII form in which DNS knows a host, international names included; nothing for addresses and nonsense. */
export function toAsciiHost(text: string): string | undefined {
  // Whatever ends or splits a URL's host would let the parser see less than was written.
  if (text.length > 253 || /[\s/\\?#@:%[\]]/.test(text)) return undefined;
  const host = URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '');
  return host && isHostName(host) && !isAddress(host) ? host : undefined;
}

/**
 * The part that somebody registered: `acme.co.uk` of `mail.acme.co.uk`. Private suffixes count, since `acme.github.io`
 * is not GitHub's; a mailbox right under such a suffix belongs to the suffix's owner.
 */
export function registrableDomain(host: string): string | undefined {
  return getDomain(host, { allowPrivateDomains: true }) ?? getDomain(host) ?? undefined;
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host);
}

const LONGEST_WEBSITE = 500;

/** Scheme, host and path of a public site. Query, fragment and credentials are dropped: they may name a person. */
export function readWebsite(text: string): string | undefined {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.port !== '') return undefined;
  const host = toAsciiHost(url.hostname);
  if (!host || !registrableDomain(host)) return undefined;
  const website = `${url.protocol}//${host}${url.pathname.replace(/\/+$/, '')}`;
  return website.length <= LONGEST_WEBSITE ? website : undefined;
}
