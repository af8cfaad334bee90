import { createHash } from 'node:crypto';

/** What a link in a mail is for. One for confirming cannot stop anything, and the other way round. */
export type LinkPurpose = 'confirm' | 'stop';

/** What is stored of a link. It has only the hash of the address, to compare with. */
export interface RecipientLink {
  readonly purpose: LinkPurpose;
  readonly workspaceId: string;
  readonly destinationId: string;
  readonly addressHash: string;
  /** The link was in a confirmation mail: using it stops such mails from every workspace. */
  readonly everywhere?: boolean | undefined;
  /** In seconds since 1970. A link that stops has none: it works for as long as somebody keeps the mail. */
  readonly expiresAt?: number | undefined;
}

/** Why nothing is sent to an address any more. */
export type SuppressionReason = 'stopped' | 'bounced' | 'complained';

export const CONFIRM_WITHIN_DAYS = 7;
export const CONFIRM_WITHIN_MS = CONFIRM_WITHIN_DAYS * 24 * 60 * 60 * 1000;

/** One confirmation mail per address in this time, over all workspaces. */
export const ASK_EVERY_MS = 24 * 60 * 60 * 1000;

export const TOKEN_BYTES = 16;

/** Hexadecimal: mail programs leave a `-` or `_` at the end of an address out of the link. */
export function makeToken(random: Uint8Array): string {
  return Buffer.from(random).toString('hex');
}

export function isToken(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Two spellings of one address, for one destination per address. */
export function sameAddress(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

const GMAIL = /^(?:gmail|googlemail)\.com$/;

/**
 * The hash of the mailbox behind an address. Most providers deliver `ada+anything@…` to `ada@…`, and Gmail ignores dots:
 * by address alone, one mailbox could be asked as often as somebody can invent a suffix.
 */
export function addressHash(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).toLowerCase();
  const local = email.slice(0, at).toLowerCase();
  const withoutTag = local.replace(/(?<=.)\+.*$/, '');
  const mailbox = GMAIL.test(domain)
    ? `${withoutTag.replaceAll('.', '')}@gmail.com`
    : `${withoutTag}@${domain}`;
  return createHash('sha256').update(`recipient:${mailbox}`).digest('hex');
}

const MAX_NAME_LENGTH = 60;

/**
 * A workspace's name in a mail to somebody who may not know it. Its owner chose it: nothing in it may become a link, and
 * it stays on one line. Mail programs link `://`, `www.`, addresses with `@` and words that are joined by a dot.
 */
export function plainName(name: string): string {
  const text = name
    .normalize('NFKC')
    .replace(/[\s\p{C}]+/gu, ' ')
    .replace(/[@＠]|:\/+|[/\\]+/gu, ' ')
    .replace(/[.。․‧·・︒]+(?=[^\s.])/gu, ' ')
    .replace(/\b(?:https?|www|mailto)\b/giu, ' ')
    .replace(/ +/g, ' ')
    .trim();
  const cut = [...text].slice(0, MAX_NAME_LENGTH).join('').trim();
  return cut === '' ? 'a workspace' : cut;
}
