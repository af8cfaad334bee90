import type { FormField } from '#console/api/types.ts';
import type { Role } from '#model/lead-fields.ts';
import { oneLine } from '#model/one-line.ts';
import { findRoles } from '#scoring/roles.ts';
import { type LeadField, leadFields } from './read-lead-body.ts';

type ContactRole = Exclude<Role, 'firstName' | 'lastName'> | 'address';

export interface ContactFact {
  readonly role: ContactRole;
  readonly label: string;
  readonly text: string;
}

export interface LeadContent {
  /** The person and how to reply, in a fixed order whatever the form's. */
  readonly contact: readonly ContactFact[];
  readonly others: readonly LeadField[];
  /** Display names of the keys that only the body shows. */
  readonly nested: readonly string[];
}

/** Contact facts are shown in this order. */
const LABELS: Readonly<Record<ContactRole, string>> = {
  name: 'Name',
  company: 'Company',
  email: 'Email',
  phone: 'Phone',
  website: 'Website',
  country: 'Country',
  address: 'Address',
  message: 'Message',
};

/** Scoring has no role for addresses, so these are recognized by their keys, written together in lower case. */
const ADDRESS_KEYS = new Set(
  (
    'address address1 address2 addressline1 addressline2 streetaddress postaladdress street city town state ' +
    'province region zip zipcode postcode postalcode adresse anschrift strasse straße plz ort stadt rue ville codepostal ' +
    'direccion calle ciudad'
  ).split(' '),
);

const isAddressKey = (key: string) => ADDRESS_KEYS.has(key.toLowerCase().replaceAll(/[\s_-]/g, ''));

/** A lead's fields, with the contact facts told apart as scoring does. */
export function leadContent(body: string, configured: readonly FormField[]): LeadContent {
  const { fields, nested } = leadFields(body, configured);
  const found = findRoles(parseBody(body), configured.map(withoutBlanks));
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const shown = new Set<string>();
  const contact = (Object.keys(LABELS) as ContactRole[]).flatMap((role): ContactFact[] => {
    if (role === 'address') {
      const parts = fields.filter(({ key, text }) => isAddressKey(key) && text !== '' && !shown.has(key));
      for (const { key } of parts) shown.add(key);
      return parts.map(({ label, text }) => ({ role, label, text }));
    }
    const parts = partsOf(role, found).filter(({ value }) => value !== '');
    if (parts.length === 0) return [];
    const label = configured.find(({ key }) => parts.length === 1 && key === parts[0]?.key)?.label;
    const texts = parts.map(({ key, value }) => {
      const whole = byKey.get(key)?.text.trim() ?? '';
      // The value may also come from a nested object, or be one address among other text. Then the field stays below.
      if (role === 'email' ? whole !== value : !whole.startsWith(value)) return value;
      shown.add(key);
      return whole;
    });
    return [{ role, label: label ?? LABELS[role], text: texts.join(' ') }];
  });
  return { contact, others: fields.filter(({ key }) => !shown.has(key)), nested };
}

type Found = ReturnType<typeof findRoles>;

function partsOf(role: Exclude<ContactRole, 'address'>, found: Found) {
  const { name, firstName, lastName } = found;
  const isOf = (entry: { readonly value: string } | undefined) => entry !== undefined && entry.value !== '';
  const parts =
    role !== 'name'
      ? [found[role]]
      : isOf(firstName) && isOf(lastName)
        ? [firstName, lastName]
        : isOf(name) && isOf(lastName) && !name?.value.includes(lastName?.value ?? '')
          ? [name, lastName]
          : [name ?? firstName ?? lastName];
  return parts.filter((part) => part !== undefined);
}

function withoutBlanks({ key, role }: FormField) {
  return role === undefined ? { key } : { key, role };
}

function parseBody(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

const MAX_PART_LENGTH = 60;

/** Person and company, else the email address. */
export function leadTitle(contact: readonly ContactFact[]): string {
  const of = (wanted: ContactRole) => tidy(contact.find(({ role }) => role === wanted)?.text ?? '');
  const [name, company, email] = [of('name'), of('company'), of('email')];
  return [name, company].filter((part) => part !== '').join(', ') || email || 'Lead';
}

/** One line without control characters, since a title is also shown in the tab. */
function tidy(text: string): string {
  const line = oneLine(text);
  // What is seen as one character may be several.
  const [end] = [...new Intl.Segmenter().segment(line)].slice(MAX_PART_LENGTH);
  return end ? `${line.slice(0, end.index)}…` : line;
}

/** A link that writes to or calls the lead; undefined if the text isn't one address or number. */
export function contactLink({ role, text }: ContactFact): string | undefined {
  if (role === 'email') {
    return /^[^\s@]+@[^\s@]+$/.test(text)
      ? `mailto:${encodeURIComponent(text).replace('%40', '@')}`
      : undefined;
  }
  if (role !== 'phone') return undefined;
  const number = text.replaceAll(/[\s()./\u2010-\u2015\u00a0-]/g, '');
  return /^\+?\d{5,17}$/.test(number) ? `tel:${number}` : undefined;
}
