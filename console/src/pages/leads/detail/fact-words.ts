import type { Fact, FactSource } from '#enrichment/enrichment-item.ts';
import type { MailClass } from '#enrichment/mail-class.ts';

// Older leads and data providers may have unknown names, which are shown as they are.

const SOURCE_NAMES: Readonly<Record<FactSource, string>> = {
  body: 'Submission',
  message: 'Message',
  'phone-metadata': 'Phone numbering plans',
  'public-suffix-list': 'Public suffix list',
  'top-level-domain': 'Country ending of the domain',
  'mail-lists': 'Email provider lists',
  dns: 'DNS',
  provider: 'Data provider',
};

export function sourceName(source: string): string {
  return Object.hasOwn(SOURCE_NAMES, source) ? SOURCE_NAMES[source as FactSource] : source;
}

/** A company website comes from the email domain, not from the provider lists. */
export function factSource(
  name: string,
  { source, confidence }: Pick<Fact, 'source' | 'confidence'>,
): string {
  const named = name === 'companyWebsite' && source === 'mail-lists' ? 'Email domain' : sourceName(source);
  return confidence === 'low' ? `${named} (low confidence)` : named;
}

/** `phoneCountry` becomes "Phone country", `provider.jobTitle` becomes "Job title". */
export function factName(name: string): string {
  if (name === 'mailClass') return 'Email type';
  const words = name
    .replace(/^provider\./, '')
    .replace(/[_.-]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const MAIL_CLASSES: Readonly<Record<MailClass, string>> = {
  company: 'Company email',
  free: 'Free email provider',
  disposable: 'Disposable email',
  role: 'Shared company email, such as info@ or sales@',
  education: 'School or university email',
  'internet-provider': 'Internet provider email',
};

/** The number types of libphonenumber. */
const PHONE_TYPES: Readonly<Record<string, string>> = {
  fixed_line: 'Landline',
  fixed_line_or_mobile: 'Landline or mobile',
  mobile: 'Mobile',
  pager: 'Pager',
  personal_number: 'Personal number',
  premium_rate: 'Premium rate',
  shared_cost: 'Shared cost',
  toll_free: 'Toll-free',
  uan: 'Company-wide number',
  voicemail: 'Voicemail',
  voip: 'VoIP',
};

const KNOWN_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mailClass: MAIL_CLASSES,
  phoneType: PHONE_TYPES,
};

export function factText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.join(', ');
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const text = String(value);
  if (name === 'country' || name === 'phoneCountry') return countryText(text);
  if (name === 'language') return languageText(text);
  const known = Object.hasOwn(KNOWN_VALUES, name) ? KNOWN_VALUES[name] : undefined;
  return known && Object.hasOwn(known, text) ? (known[text] as string) : text;
}

function languageText(code: string): string {
  if (!/^[a-z]{2}$/.test(code)) return code;
  const name = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code);
  return name === undefined ? code : `${name} (${code})`;
}

function countryText(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  const name = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code);
  return name === undefined ? code : `${name} (${code})`;
}
