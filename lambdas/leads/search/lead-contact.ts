import { createHash } from 'node:crypto';
import { readEmail } from '../../enrichment/contact-facts.ts';
import { tidyText } from '../../enrichment/enrichment-item.ts';
import { rolesOf } from '../../enrichment/gather-facts.ts';
import { type PhoneContext, readPhone } from '../../enrichment/read-phone.ts';
import type { LeadFields, LeadRoles } from '../../model/lead-fields.ts';
import { addressesIn } from '../../scoring/contact-text.ts';

/** Who a lead is from, as far as its fields say so. */
export interface LeadContact {
  readonly name?: string | undefined;
  readonly company?: string | undefined;
  /** In lower case, with the domain in ASCII; as typed if it is no valid address. */
  readonly email?: string | undefined;
  /** Digits with the country's code, or as typed without it. */
  readonly phone?: string | undefined;
}

/** A contact, and by which keys the lead is found as theirs. */
export interface IndexedContact extends LeadContact {
  /** Other ways to write the phone number. */
  readonly phoneSpellings: readonly string[];
  /** Of the contact: their address, and their number with the country's code. */
  readonly keys: readonly string[];
  /** Of addresses that stand anywhere else in the body. */
  readonly mentioned: readonly string[];
}

const MAX_TEXT_LENGTH = 400;
const MAX_EMAIL_LENGTH = 254;
const MAX_MENTIONED = 3;
const PHONE_DIGITS = { min: 5, max: 15 };

export function contactOfLead(fields: LeadFields, kept?: LeadRoles): IndexedContact {
  const roles = rolesOf(fields, kept);
  const parts = [roles.firstName, roles.lastName].filter(Boolean).join(' ');
  const email = normalizeEmail(roles.email ?? '');
  const domain = readEmail(roles.email ?? '')?.host;
  const number = phoneOf(roles.phone, { country: roles.country, domain });
  const keys = [
    ...(email ? [personKey('email', email)] : []),
    ...(number?.isWhole ? [personKey('phone', number.digits)] : []),
  ];
  return {
    name: tidyText((parts || roles.name)?.slice(0, MAX_TEXT_LENGTH), MAX_TEXT_LENGTH),
    company: tidyText(roles.company?.slice(0, MAX_TEXT_LENGTH), MAX_TEXT_LENGTH),
    email,
    phone: number?.digits,
    phoneSpellings: number?.spellings ?? [],
    keys,
    mentioned: mentionedIn(fields)
      .filter((key) => !keys.includes(key))
      .slice(0, MAX_MENTIONED),
  };
}

/** Nobody can read an address or a number from its key, and two spellings of one have the same. */
export function personKey(by: 'email' | 'phone', normalized: string): string {
  return createHash('sha256')
    .update(`${by}:${normalized}`)
    .digest()
    .subarray(0, KEY_BYTES)
    .toString('base64url');
}

/** 96 bits: two people of one workspace never share a key. */
export const KEY_BYTES = 12;

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

interface ListedNumber {
  readonly digits: string;
  /** Whether the digits begin with the country's code. */
  readonly isWhole: boolean;
  readonly spellings: readonly string[];
}

function phoneOf(text: string | undefined, context: PhoneContext): ListedNumber | undefined {
  if (text === undefined) return undefined;
  const typed = text.replace(/\D/g, '');
  const number = readPhone(text, context);
  if (number) {
    const digits = number.e164.slice(1);
    // `030 …` is no part of `4930…`.
    const spellings = [`0${number.national}`, typed].filter((each) => !digits.includes(each));
    return { digits, isWhole: true, spellings: [...new Set(spellings)] };
  }
  const digits = typed.replace(/^0+/, '');
  if (digits.length < PHONE_DIGITS.min || digits.length > PHONE_DIGITS.max) return undefined;
  return { digits, isWhole: false, spellings: typed === digits ? [] : [typed] };
}

/** The keys of all addresses in the body, whatever field they stand in and however deep. */
function mentionedIn(fields: LeadFields): string[] {
  const keys = new Set<string>();
  const pending: unknown[] = [fields];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string' && value.includes('@')) {
      for (const address of addressesIn(value))
        keys.add(personKey('email', normalizeEmail(address) ?? address));
    } else if (typeof value === 'object' && value !== null) {
      pending.push(...Object.values(value).reverse());
    }
  }
  return [...keys];
}
