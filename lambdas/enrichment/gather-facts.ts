import type { LeadFields, LeadRoles, Role as ScoringRole } from '../model/lead-fields.ts';
import { bestEmail } from '../scoring/contact-signals.ts';
import { readLead } from '../scoring/lead-text.ts';
import { PERSON_ROLES, rolesOfLead, sortEntries } from '../scoring/roles.ts';
import { type EmailParts, hostOf, readEmail, readWebsite } from './contact-facts.ts';
import { detectLanguage } from './detect-language.ts';
import { type Fact, type Facts, factsFrom, type Role, type Roles, tidyText } from './enrichment-item.ts';
import { classifyMail, isCompanyMail } from './mail-class.ts';
import { mailProviderOf } from './mail-exchanges.ts';
import { placeFacts } from './place-facts.ts';
import { readableDomain, readableWebsite } from './readable-domain.ts';
import { splitName } from './split-name.ts';

/** The value of each role, from the roles kept with the lead or else by auto-detection. */
export function rolesOf(fields: LeadFields, kept?: LeadRoles): Roles {
  const found = rolesOfLead(fields, kept);
  const roles: Partial<Record<Role, string>> = {};
  for (const role of PERSON_ROLES) {
    const value = found[role]?.value.trim();
    if (value) roles[role] = value;
  }
  return roles;
}

/** What else a lead says, beside the values of its roles. */
export interface LeadContext {
  /** Of the address that scoring chose, in whichever field it was. By default, of the email. */
  readonly domain?: string | undefined;
  /** What the person wrote, in whichever fields. */
  readonly message?: string | undefined;
  /** The message and the fields without a role: where scoring looks for a number if the phone field has none. */
  readonly texts?: readonly string[];
}

/** Sorts the fields as scoring did. */
export function contextOf(fields: LeadFields, kept: LeadRoles = {}): LeadContext {
  const configuration = Object.entries(kept).map(([role, key]) => ({ key, role }));
  const sorted = sortEntries(readLead(fields, configuration), configuration);
  const textsOf = (...roles: (ScoringRole | undefined)[]) =>
    sorted.byRole.flatMap(([{ value }, role]) => (roles.includes(role) ? value : []));
  const message = new Set([...textsOf('message'), sorted.roles.message?.value ?? '']);
  return {
    domain: bestEmail(sorted)?.domain,
    message: [...message].join('\n').trim(),
    texts: textsOf('message', undefined),
  };
}

export interface Gathered {
  readonly facts: Facts;
  /** The host that takes the lead's mail: what DNS is asked about. */
  readonly mailHost?: string | undefined;
}

const MAX_COMPANY_LENGTH = 200;
const MAX_NAME_PART_LENGTH = 100;

/** Everything that follows from the body itself and the lists that are bundled. */
export function gatherFacts(roles: Roles, context: LeadContext = {}): Gathered {
  const email = roles.email === undefined ? undefined : readEmail(roles.email);
  const website = roles.website === undefined ? undefined : readWebsite(roles.website);
  const mail = email ? emailFacts(email) : {};
  const place = placeFacts({
    ...roles,
    // A throwaway address can be at any domain.
    hosts: [mail.mailClass?.value === 'disposable' ? undefined : email?.host, website && hostOf(website)],
    domain: context.domain ?? email?.host,
    texts: context.texts,
  });
  const facts = {
    ...mail,
    ...place,
    ...factsFrom('message', { language: context.message && detectLanguage(context.message) }),
    ...nameFacts(roles, place.country?.value),
    ...factsFrom('body', {
      company: tidyText(roles.company, MAX_COMPANY_LENGTH),
      companyWebsite: website && readableWebsite(website),
    }),
  };
  return { facts: withoutMissing(facts), mailHost: email?.host };
}

/** Facts from the MX hosts of the lead's domain. An empty list is a fact too: the domain takes no mail. */
export function mailHostFacts(hosts: readonly string[]): Facts {
  return factsFrom('dns', { mailHosts: hosts, mailProvider: mailProviderOf(hosts) });
}

function emailFacts(email: EmailParts): Facts {
  const mailClass = classifyMail(email);
  return {
    ...factsFrom('body', {
      email: email.email,
      mailbox: email.mailbox === email.email ? undefined : email.mailbox,
    }),
    ...factsFrom('public-suffix-list', { emailDomain: readableDomain(email.registrable) }),
    ...factsFrom('mail-lists', {
      mailClass,
      companyWebsite: isCompanyMail(mailClass) ? `https://${readableDomain(email.registrable)}` : undefined,
    }),
  };
}

function nameFacts(roles: Roles, country: Fact['value'] | undefined): Facts {
  const split =
    roles.name === undefined ? {} : splitName(roles.name, typeof country === 'string' ? country : undefined);
  return factsFrom('body', {
    firstName: tidyText(roles.firstName, MAX_NAME_PART_LENGTH) ?? split.firstName,
    lastName: tidyText(roles.lastName, MAX_NAME_PART_LENGTH) ?? split.lastName,
  });
}

function withoutMissing(facts: Readonly<Record<string, Fact | undefined>>): Facts {
  return Object.fromEntries(
    Object.entries(facts).filter((entry): entry is [string, Fact] => entry[1] !== undefined),
  );
}
