import { classifyEmail } from './classify-email.ts';
import type { FieldConfiguration, LeadFields } from './lead-text.ts';
import { findRoles } from './roles.ts';

/** Who wrote, as the list of trusted and blocked senders knows them. Both in lower case. */
export interface Sender {
  readonly address: string;
  readonly domain: string;
}

/** Undefined for a lead without an email address. */
export function senderOf(
  fields: LeadFields,
  configuration: readonly FieldConfiguration[] = [],
): Sender | undefined {
  const address = findRoles(fields, configuration).email?.value.trim().toLowerCase() ?? '';
  const at = address.lastIndexOf('@');
  return at > 0 && at < address.length - 1 ? { address, domain: address.slice(at + 1) } : undefined;
}

/** Whether everybody at the domain is of one company: not free mail, and not handed out to anybody who asks. */
export function isCompanyDomain(domain: string): boolean {
  const { freeMail, disposable } = classifyEmail(`sender@${domain}`);
  return !freeMail && !disposable;
}

/** What a verdict on a lead puts on the list: the company's domain, or else the address alone. */
export function entryFor({ address, domain }: Sender): string {
  return isCompanyDomain(domain) ? domain : address;
}
