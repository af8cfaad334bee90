import { readEmail } from '../../enrichment/contact-facts.ts';
import { tidyText } from '../../enrichment/enrichment-item.ts';
import { rolesOf } from '../../enrichment/gather-facts.ts';
import { type PhoneContext, readPhone } from '../../enrichment/read-phone.ts';
import type { LeadFields, LeadRoles } from '../../model/lead-fields.ts';
import { foldText, stripAccents } from '../../scoring/lead-text.ts';
import { bucketOf, isCommon } from './search-terms.ts';

/** Who a lead is from, as far as its fields say so. */
export interface LeadContact {
  readonly name?: string | undefined;
  readonly company?: string | undefined;
  /** In lower case, with the domain in ASCII; as typed if it is no valid address. */
  readonly email?: string | undefined;
  /** Digits with the country's code, or as typed without it. */
  readonly phone?: string | undefined;
}

export interface LeadWords {
  readonly contact: LeadContact;
  /** What the lead is found by, the most important first. */
  readonly words: readonly string[];
}

const MAX_TEXT_LENGTH = 400;
const MAX_WORD_LENGTH = 60;
const MAX_EMAIL_LENGTH = 254;
/** Of a name and of a company: what comes after would leave no room for the rest. */
const MAX_WORDS = 8;
/** The first words of a name and of a company are as important as the phone number. */
const NAME_WORDS = 2;
const COMPANY_WORDS = 1;
const PHONE_DIGITS = { min: 5, max: 15 };

export function wordsOfLead(fields: LeadFields, kept?: LeadRoles): LeadWords {
  const roles = rolesOf(fields, kept);
  const parts = [roles.firstName, roles.lastName].filter(Boolean).join(' ');
  const name = tidyText((parts || roles.name)?.slice(0, MAX_TEXT_LENGTH), MAX_TEXT_LENGTH);
  const company = tidyText(roles.company?.slice(0, MAX_TEXT_LENGTH), MAX_TEXT_LENGTH);
  const email = readEmail(roles.email ?? '');
  const typedEmail = normalizeEmail(roles.email ?? '');
  const phone = phoneOf(roles.phone, { country: roles.country, domain: email?.host });
  const [names, companies] = [foldedWords(name), foldedWords(company)];
  // Each way of finding a lead before the rest of any: few words get an entry of their own.
  const words = [
    ...(typedEmail ? [emailWord(typedEmail)] : []),
    ...names.slice(0, NAME_WORDS),
    ...companies.slice(0, COMPANY_WORDS),
    ...phone.slice(0, 1),
    ...(email ? [email.registrable, email.host] : []),
    ...phone.slice(1),
    ...names.slice(NAME_WORDS),
    ...companies.slice(COMPANY_WORDS),
    ...foldedWords(email?.local.replaceAll('+', ' ')),
  ];
  return {
    contact: { name, company, email: typedEmail, phone: phone[0] },
    words: [...new Set(words)],
  };
}

/** A body that somebody damaged has no fields: the lead is listed, and can be erased. */
export function fieldsOf(body: string): LeadFields {
  return readFields(body) ?? {};
}

/** Undefined if the body is damaged. */
export function readFields(body: string): LeadFields | undefined {
  try {
    const fields: unknown = JSON.parse(body);
    return typeof fields === 'object' && fields !== null ? (fields as LeadFields) : undefined;
  } catch {
    return undefined;
  }
}

/** The address as the list keeps it, so that two spellings of one address are equal. Undefined if there is none. */
export function normalizeEmail(text: string): string | undefined {
  return readEmail(text)?.email ?? tidyText(text.toLowerCase(), MAX_EMAIL_LENGTH);
}

/** The word by which an address is found: always the first of a lead. */
export function emailWord(normalized: string): string {
  return stripAccents(normalized).replace(/ .*$/, '');
}

/** The buckets of the most important words, at most so many. */
export function bucketsOf(words: readonly string[], most: number): string[] {
  const buckets = words.filter((word) => !isCommon(word)).map(bucketOf);
  return [...new Set(buckets.filter((bucket) => bucket !== undefined))].slice(0, most);
}

function foldedWords(text: string | undefined): string[] {
  if (text === undefined) return [];
  const words = foldText(text).trim().split(' ').filter(Boolean);
  return words.slice(0, MAX_WORDS).map((word) => word.slice(0, MAX_WORD_LENGTH));
}

/** With the code of its country and without, so that either way of writing it finds the lead. */
function phoneOf(text: string | undefined, context: PhoneContext): string[] {
  if (text === undefined) return [];
  const number = readPhone(text, context);
  if (number) return [number.e164.slice(1), number.national];
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  return digits.length >= PHONE_DIGITS.min && digits.length <= PHONE_DIGITS.max ? [digits] : [];
}
