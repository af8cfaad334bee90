import { registrableDomain } from '../../enrichment/contact-facts.ts';
import { isCompanyDomain, type Sender } from '../../scoring/sender.ts';

/** By what a workspace's own people and sites are known. */
export interface OwnAddresses {
  /** Of its members. */
  readonly emails: readonly string[];
  /** From which its pages send leads, possibly with a wildcard as their first label. */
  readonly origins: readonly string[];
}

/**
 * Whether a sender is of the workspace itself: at a domain of its members or sites, or a subdomain or parent of one. Of
 * members with free mail, only their own address is meant.
 */
export function isOwnSender({ emails, origins }: OwnAddresses, { address, domain }: Sender): boolean {
  if (emails.some((email) => email.toLowerCase() === address)) return true;
  if (!isCompanyDomain(domain)) return false;
  const registered = registrableDomain(domain);
  const hosts = [...emails.map(domainOf), ...origins.map(hostOf)];
  return registered !== undefined && hosts.some((host) => registrableDomain(host) === registered);
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

function hostOf(origin: string): string {
  return URL.parse(origin)?.hostname.replace(/^\*\./, '') ?? '';
}
