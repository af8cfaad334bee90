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

/** Of a website that `readWebsite` returned. */
export function hostOf(website: string): string {
  return new URL(website).hostname;
}

const MAX_WEBSITE_LENGTH = 500;

/** Scheme, host and path of a public site. Query, fragment and credentials are dropped: they may name a person. */
export function readWebsite(text: string): string | undefined {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.port !== '') return undefined;
  const host = toAsciiHost(url.hostname);
  if (!host || !registrableDomain(host)) return undefined;
  const website = `${url.protocol}//${host}${url.pathname.replace(/\/+$/, '')}`;
  return website.length <= MAX_WEBSITE_LENGTH ? website : undefined;
}

export interface EmailParts {
  /** Lower-case, with the domain in ASCII. Tags stay: mail sent without them may be filed elsewhere. */
  readonly email: string;
  readonly local: string;
  /** The host that takes the mail: the one to ask DNS about. */
  readonly host: string;
  readonly registrable: string;
  /** One address for all the spellings that reach one mailbox, for finding duplicates. */
  readonly mailbox: string;
}

const MAX_LOCAL_PART_LENGTH = 64;
const MAX_EMAIL_LENGTH = 254;

// The unquoted form of RFC 5321, and letters of any script by RFC 6531.
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;

export function readEmail(text: string): EmailParts | undefined {
  const bare = (/<([^<>]+)>\s*$/.exec(text)?.[1] ?? text).trim().replace(/^mailto:/i, '');
  const at = bare.lastIndexOf('@');
  const local = bare.slice(0, Math.max(0, at)).normalize('NFC').toLowerCase();
  const host = at > 0 ? toAsciiHost(bare.slice(at + 1)) : undefined;
  const registrable = host && registrableDomain(host);
  if (!host || !registrable || !LOCAL_PART.test(local) || local.length > MAX_LOCAL_PART_LENGTH)
    return undefined;
  const email = `${local}@${host}`;
  if (email.length > MAX_EMAIL_LENGTH) return undefined;
  return { email, local, host, registrable, mailbox: mailboxOf(local, host) };
}

/** A tag behind `+` names no other mailbox at any large host; Gmail also ignores dots and has two domains. */
function mailboxOf(local: string, host: string): string {
  const untagged = local.replace(/(?<=.)\+.*$/, '');
  if (host === 'gmail.com' || host === 'googlemail.com') return `${untagged.replaceAll('.', '')}@gmail.com`;
  return `${untagged}@${host}`;
}
