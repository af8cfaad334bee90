import { registrableDomain, toAsciiHost } from './host-name.ts';

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
