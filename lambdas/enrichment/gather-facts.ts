import type { LeadFields } from '../scoring/lead-text.ts';
import { type LeadRoles, PERSON_ROLES, rolesOfLead } from '../scoring/roles.ts';
import {
  classifyMail,
  type EmailParts,
  readCountry,
  readEmail,
  readPhone,
  readWebsite,
  timeZoneOf,
} from './contact-facts.ts';
import { type Fact, type Facts, factsFrom, type Role, type Roles, tidyText } from './enrichment-item.ts';
import { mailProviderOf } from './mail-exchanges.ts';

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

export interface Gathered {
  readonly facts: Facts;
  /** The host that takes the lead's mail: what DNS is asked about. */
  readonly mailHost?: string | undefined;
}

const LONGEST_COMPANY = 200;
const LONGEST_NAME_PART = 100;

/** Everything that follows from the body itself and the lists that are bundled. */
export function gatherFacts(roles: Roles): Gathered {
  const email = roles.email === undefined ? undefined : readEmail(roles.email);
  const place = placeFacts(roles);
  const facts = {
    ...(email && emailFacts(email)),
    ...place,
    ...nameFacts(roles, place.country?.value),
    ...factsFrom('body', {
      company: tidyText(roles.company, LONGEST_COMPANY),
      companyWebsite: roles.website === undefined ? undefined : readWebsite(roles.website),
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
  const atCompany = mailClass === 'company' || mailClass === 'role';
  return {
    ...factsFrom('body', {
      email: email.email,
      mailbox: email.mailbox === email.email ? undefined : email.mailbox,
    }),
    ...factsFrom('public-suffix-list', { emailDomain: email.registrable }),
    ...factsFrom('mail-lists', {
      mailClass,
      companyWebsite: atCompany ? `https://${email.registrable}` : undefined,
    }),
  };
}

/** The stated country helps to parse the number; without one, the number's country is used. */
function placeFacts(roles: Roles): Facts {
  const stated = roles.country === undefined ? undefined : readCountry(roles.country);
  const phone = roles.phone === undefined ? undefined : readPhone(roles.phone, stated);
  const country = stated ?? phone?.country;
  return {
    ...factsFrom('phone-metadata', {
      phone: phone?.e164,
      phoneCountry: phone?.country,
      phoneType: phone?.type,
    }),
    ...factsFrom(stated ? 'body' : 'phone-metadata', {
      country,
      timeZone: country && timeZoneOf(country),
    }),
  };
}

function nameFacts(roles: Roles, country: Fact['value'] | undefined): Facts {
  const split =
    roles.name === undefined ? {} : splitName(roles.name, typeof country === 'string' ? country : undefined);
  return factsFrom('body', {
    firstName: tidyText(roles.firstName, LONGEST_NAME_PART) ?? split.firstName,
    lastName: tidyText(roles.lastName, LONGEST_NAME_PART) ?? split.lastName,
  });
}

function withoutMissing(facts: Readonly<Record<string, Fact | undefined>>): Facts {
  return Object.fromEntries(
    Object.entries(facts).filter((entry): entry is [string, Fact] => entry[1] !== undefined),
  );
}

export interface PersonName {
  readonly firstName?: string;
  readonly lastName?: string;
}

const LONGEST_NAME = 120;
const TITLES =
  /^(?:(?:mr|mrs|ms|miss|mx|dr|prof|herr|frau|sir|dame|ing|dipl|mag|m|mme|sr|sra|dott|ir)\.? )+/i;
const DEGREES = /,? (?:jr|sr|ii|iii|iv|ph\.?d|md|m\.d|mba|msc|bsc|esq|llm|cpa)\.?$/i;

/** Small words that open a family name: van Gogh, de la Cruz, bin Rashid. */
const PARTICLES = new Set(
  "van von vom zu zum zur de del della der den di da das do dos du des la le el al bin binti ibn ten ter af av mac st. 't".split(
    ' ',
  ),
);

/** Where family names come first at home and people write them either way round on forms. */
const EITHER_ORDER = new Set(['HU', 'JP', 'CN', 'TW', 'HK', 'KR', 'KP', 'VN', 'KH', 'SG', 'MO']);

const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー々]+$/u;
const KATAKANA_FOREIGN = /^[\p{Script=Katakana}ー]+(?:[・=＝][\p{Script=Katakana}ー]+)+$/u;

/** Splits only if the order is stated or certain; a wrong "Dear …" is worse than none. */
export function splitName(text: string, country?: string): PersonName {
  const name = tidyText(text, LONGEST_NAME);
  if (!name || /[\d@/\\<>{}[\]|]|:\/\//.test(name)) return {};
  if (KATAKANA_FOREIGN.test(name)) return writtenGivenFirst(name.split(/[・=＝]/));
  const bare = name.replace(TITLES, '').replace(DEGREES, '');
  const [family, given, ...rest] = bare.split(/\s*[,、]\s*/);
  if (family && given) return rest.length === 0 ? { firstName: given, lastName: family } : {};
  const words = bare.split(' ');
  if (words.some((word) => EAST_ASIAN.test(word))) return eastAsian(words);
  return country && EITHER_ORDER.has(country) ? {} : writtenGivenFirst(words);
}

/** In these scripts the family name comes first. Without a space, nothing shows where it ends. */
function eastAsian(words: readonly string[]): PersonName {
  const [family, given] = words;
  return words.length === 2 && words.every((word) => EAST_ASIAN.test(word)) && family && given
    ? { firstName: given, lastName: family }
    : {};
}

/**
 * Of three names or more the middle one may belong to either side (Mary Jane Watson, Gabriel García Márquez), unless it
 * is an initial or a particle: then only the first is certain.
 */
function writtenGivenFirst(words: readonly string[]): PersonName {
  const [first, ...others] = words.filter((word, at) => !(at > 0 && /^\p{Lu}\.?$/u.test(word)));
  const last = others.at(-1);
  if (!first || !last || words.length > 6) return {};
  const particle = others.findIndex((word) => PARTICLES.has(word.toLowerCase()));
  if (particle === 0 || (others.length === 1 && particle === -1)) {
    return { firstName: first, lastName: others.join(' ') };
  }
  if (particle > 0 && particle < others.length - 1) {
    return {
      firstName: [first, ...others.slice(0, particle)].join(' '),
      lastName: others.slice(particle).join(' '),
    };
  }
  return { firstName: first };
}
