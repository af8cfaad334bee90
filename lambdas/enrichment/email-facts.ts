import { lookOfEmail } from '../scoring/classify-email.ts';
import { registrableDomain, toAsciiHost } from './website.ts';

export type MailClass = 'company' | 'free' | 'disposable' | 'role';

/** Companies and schools that the list of free providers names too: people there write from work. */
const LISTED_WRONGLY = new Set([
  ...['alibaba.com', 'ancestry.com', 'aver.com', 'bolt.com', 'discovery.com', 'dnsmadeeasy.com'],
  ...['easypost.com', 'facebook.com', 'medscape.com', 'nus.edu.sg', 'oath.com', 'parrot.com', 'saudia.com'],
  ...['singpost.com', 'techspot.com', 'unican.es'],
]);

/**
 * By the same lists as the score, so that the two agree. A throw-away address says most, then a free one; a role is
 * only told apart at a domain of its own.
 */
export function classifyMail({ local, host, registrable }: EmailParts): MailClass {
  const { disposable, freeMail, roleAccount } = lookOfEmail(`${local}@${host}`);
  if (disposable) return 'disposable';
  const free = freeMail || lookOfEmail(`${local}@${registrable}`).freeMail;
  if (free && !LISTED_WRONGLY.has(registrable)) return 'free';
  return roleAccount ? 'role' : 'company';
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

const LONGEST_LOCAL_PART = 64;
const LONGEST_EMAIL = 254;

// The unquoted form of RFC 5321, and letters of any script by RFC 6531.
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;

export function readEmail(text: string): EmailParts | undefined {
  const bare = (/<([^<>]+)>\s*$/.exec(text)?.[1] ?? text).trim().replace(/^mailto:/i, '');
  const at = bare.lastIndexOf('@');
  const local = bare.slice(0, Math.max(0, at)).normalize('NFC').toLowerCase();
  const host = at > 0 ? toAsciiHost(bare.slice(at + 1)) : undefined;
  const registrable = host && registrableDomain(host);
  if (!host || !registrable || !LOCAL_PART.test(local) || local.length > LONGEST_LOCAL_PART) return undefined;
  const email = `${local}@${host}`;
  if (email.length > LONGEST_EMAIL) return undefined;
  return { email, local, host, registrable, mailbox: mailboxOf(local, host) };
}

/** A tag behind `+` names no other mailbox at any large host; Gmail also ignores dots and has two domains. */
function mailboxOf(local: string, host: string): string {
  const untagged = local.replace(/(?<=.)\+.*$/, '');
  if (host === 'gmail.com' || host === 'googlemail.com') return `${untagged.replaceAll('.', '')}@gmail.com`;
  return `${untagged}@${host}`;
}
