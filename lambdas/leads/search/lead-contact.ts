import { createHash } from 'node:crypto';
import { readEmail } from '../../enrichment/contact-facts.ts';
import { tidyText } from '../../enrichment/enrichment-item.ts';
import { rolesOf } from '../../enrichment/gather-facts.ts';
import { type PhoneContext, readPhone } from '../../enrichment/read-phone.ts';
import type { LeadFields, LeadRoles } from '../../model/lead-fields.ts';
import { addressesIn } from '../../scoring/contact-text.ts';
import { fullName } from '../../scoring/roles.ts';

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

/** The contact is in the fields. Addresses may also stand in parts of a body that became no field. */
export function contactOfLead(
  fields: LeadFields,
  kept?: LeadRoles,
  body: LeadFields = fields,
): IndexedContact {
  const roles = rolesOf(fields, kept);
  const email = normalizeEmail(roles.email ?? '');
  const domain = readEmail(roles.email ?? '')?.host;
  const number = phoneOf(roles.phone, { country: roles.country, domain });
  const keys = keysOfContact({ email, phone: number?.isWhole ? number.digits : undefined });
  return {
    name: tidyText(fullName(roles).slice(0, MAX_TEXT_LENGTH), MAX_TEXT_LENGTH),
    company: tidyText(roles.company?.slice(0, MAX_TEXT_LENGTH), MAX_TEXT_LENGTH),
    email,
    phone: number?.digits,
    phoneSpellings: number?.spellings ?? [],
    keys,
    mentioned: mentionedIn(body === fields ? [fields] : [fields, body])
      .filter((key) => !keys.includes(key))
      .slice(0, MAX_MENTIONED),
  };
}

/** By address, and by number. */
export function keysOfContact({ email, phone }: LeadContact): string[] {
  return [...(email ? [personKey('email', email)] : []), ...(phone ? [personKey('phone', phone)] : [])];
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

/** The address as the list keeps it, so that two spellings of one address are equal. Undefined if there is none. */
export function normalizeEmail(text: string): string | undefined {
  return readEmail(text)?.email ?? tidyText(text.toLowerCase(), MAX_EMAIL_LENGTH);
}

interface ListedNumber {
  /** Undefined if there are too few or too many. */
  readonly digits: string | undefined;
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
    // A search leaves out what is dialed before the number.
    const isKnown = digits.includes(
      text
        .replace('(0)', '')
        .replace(/\D/g, '')
        .replace(/^0{1,2}/, ''),
    );
    return { digits, isWhole: true, spellings: isKnown ? [] : [typed] };
  }
  const digits = typed.replace(/^0+/, '');
  const isNumber = digits.length >= PHONE_DIGITS.min && digits.length <= PHONE_DIGITS.max;
  const spellings = typed === digits && isNumber ? [] : [typed.slice(0, 2 * PHONE_DIGITS.max)];
  return { digits: isNumber ? digits : undefined, isWhole: false, spellings };
}

/** The keys of all addresses in the body, whatever field they stand in and however deep. */
function mentionedIn(sent: readonly LeadFields[]): string[] {
  const keys = new Set<string>();
  const pending: unknown[] = [...sent].reverse();
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
