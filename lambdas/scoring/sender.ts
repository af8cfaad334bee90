import type { FieldConfiguration, LeadFields } from '../model/lead-fields.ts';
import type { ListedScore, Score } from '../model/lead-item.ts';
import type { SenderList, SenderStatus } from '../model/senders.ts';
import { classifyEmail } from './classify-email.ts';
import { findRoles, rolesToKeep } from './roles.ts';

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
  const { freeMail, disposable, fault } = classifyEmail(`sender@${domain}`);
  return !freeMail && !disposable && fault !== 'mistyped';
}

/** What a verdict on a lead puts on the list: the company's domain, or else the address alone. */
export function entryFor({ address, domain }: Sender): string {
  return isCompanyDomain(domain) ? domain : address;
}

/** What the list says about a sender. An entry for the address comes before one for its domain. */
export function findSender(list: SenderList, { address, domain }: Sender): SenderStatus | undefined {
  const entry = [address, domain].find((each) => Object.hasOwn(list, each));
  return entry === undefined ? undefined : list[entry]?.status;
}

/** The list overrides `clean` and never the score. Reads the lead again only if the workspace has a list. */
export function applySenderList(
  score: Score,
  list: SenderList | undefined,
  fields: LeadFields,
  configuration: readonly FieldConfiguration[] = [],
): ListedScore {
  if (list === undefined) return score;
  const sender = senderOf(fields, configuration);
  const status = sender && findSender(list, sender);
  if (status === undefined) return score;
  const clean = status === 'trusted';
  return {
    ...score,
    clean,
    sender: status,
    scoredClean: score.clean,
  };
}

/** The roles that scoring keeps. Earlier versions kept them only with leads that were clean. */
export function rolesFor(fields: LeadFields, configuration: readonly FieldConfiguration[]) {
  return configuration[0] ? rolesToKeep(fields, findRoles(fields, configuration)) : undefined;
}
