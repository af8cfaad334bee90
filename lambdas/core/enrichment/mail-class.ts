import { lookOfEmail } from '../score/look-of-email.ts';
import type { EmailParts } from './email.ts';

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
