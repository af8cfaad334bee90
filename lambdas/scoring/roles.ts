import type { FieldConfiguration, LeadFields, LeadRoles, Role } from '../model/lead-fields.ts';
import { addressesIn, digitsIn, looksLikePhone } from './contact-text.ts';
import { HONEYPOT_KEYS, HONEYPOT_WORDS, KEY_SPELLINGS, NOT_ABOUT_THE_PERSON } from './key-spellings.ts';
import { type Entry, foldText, readLead, stripAccents } from './lead-text.ts';
import { hostOf, SERVICES } from './links.ts';

export interface FoundField {
  readonly key: string;
  readonly value: string;
}

export type FoundRoles = Readonly<Partial<Record<Role, FoundField>>>;

/** Who wrote, and how to reach them: by the form's configuration, then by the names of keys, then by the look of values. */
export function findRoles(fields: LeadFields, configuration?: readonly FieldConfiguration[]): FoundRoles {
  return sortEntries(readLead(fields, configuration), configuration).roles;
}

export interface SortedEntries {
  readonly roles: FoundRoles;
  /** Entries by what they are; honeypots and what is about the page or the campaign are apart. */
  readonly byRole: readonly (readonly [Entry, Role | undefined])[];
  readonly honeypots: readonly Entry[];
  readonly about: readonly Entry[];
}

export function sortEntries(
  entries: readonly Entry[],
  configuration: readonly FieldConfiguration[] = [],
): SortedEntries {
  const roles: Partial<Record<Role, FoundField>> = {};
  const byRole: (readonly [Entry, Role | undefined])[] = [];
  const honeypots: Entry[] = [];
  const about: Entry[] = [];
  const links = new Set<Entry>();
  for (const entry of entries) {
    let role = roleOf(entry, configuration);
    if (role === 'honeypot') honeypots.push(entry);
    else if (role === 'about') about.push(entry);
    else {
      // Hardly anything that a person wrote: most are addresses in the sender's system.
      if (!role && /^(?:https?:\/\/|www\.)\S+$/i.test(entry.value)) {
        role = 'website';
        links.add(entry);
      }
      byRole.push([entry, role]);
      if (role && role !== 'website' && !roles[role]?.value) roles[role] = entry;
    }
  }
  addRolesByValue(roles, byRole);
  const address =
    addressOfField(roles.email) ??
    byRole.map(([entry]) => addressIn(entry)).find((found) => found !== undefined);
  if (address) roles.email = address;
  const domain = address?.value.toLowerCase().split('@')[1];
  const site = byRole.find(([entry, role]) => {
    if (role !== 'website') return false;
    const host = hostOf(entry.value);
    // Without a key that names it, only the domain of the address tells whose site it is.
    return `.${host}`.endsWith(`.${domain}`) || !(links.has(entry) || SERVICES.test(host));
  });
  if (site) [roles.website] = site;
  return { roles, byRole, honeypots, about };
}

export function addressIn(entry: FoundField | undefined): FoundField | undefined {
  const [address] = entry?.value.includes('@') ? addressesIn(entry.value) : [];
  return entry && address ? { key: entry.key, value: address } : undefined;
}

/** Of a field for addresses. There, `laura @gmail.com` is one, and `laura@gmail`. */
function addressOfField(entry: FoundField | undefined): FoundField | undefined {
  const found = addressIn(entry);
  if (found || !entry?.value.includes('@')) return found;
  const together = entry.value.replace(/\s{1,3}/g, '');
  // Without its ending, but there is only one it can have.
  return addressIn({
    ...entry,
    value: together.replace(/(@(?:gmail|icloud|hotmail|yahoo|outlook))$/i, '$1.com'),
  });
}

/** For keys without a meaning, such as `q1`: by the look of their values. */
function addRolesByValue(roles: Partial<Record<Role, FoundField>>, byRole: SortedEntries['byRole']): void {
  for (const [entry, role] of byRole) {
    const { value } = entry;
    if (value === '' || role !== undefined) continue;
    if (value.includes('@')) {
      if (addressesIn(value).length > 0 && value.length < 100) roles.email ??= entry;
    } else if (looksLikePhone(value)) roles.phone ??= entry;
    else if (looksLikeName(value)) roles.name ??= roles.firstName ?? entry;
    else if (looksLikeProse(value)) roles.message ??= entry;
  }
}

const looksLikeName = (value: string) =>
  /^[A-Z\u00c0-\u00de\u0100-\u1fff][a-z\u00c0-\u1fff.'’-]{1,30}(?: [a-z\u00c0-\u1fff.'’-]{1,30}){1,3}$/i.test(
    value,
  );
const looksLikeProse = (value: string) => value.length >= 12 && /\s|[\u0e00-\u0e7f\u3040-\uffef]/.test(value);

/** `honeypot` and `about` are no roles of a person: what stands there was not typed by one. */
export function roleOf(
  { key, value }: FoundField,
  configuration: readonly FieldConfiguration[] = [],
): Role | 'honeypot' | 'about' | undefined {
  const configured = configuration.find((field) => field.key === key)?.role;
  const asConfigured = typeof configured === 'string' ? CONFIGURED.get(runTogether(configured)) : undefined;
  if (asConfigured) return asConfigured;
  const words = wordsOf(key);
  // `hp` is a trap in most of the world, and a handphone in Indonesia.
  if (isHoneypot(words) && !(words.join('') === 'hp' && digitsIn(value).length > 3)) return 'honeypot';
  return roleOfWords(words);
}

const CONFIGURED = new Map<string, Role | 'honeypot'>([
  ...KEY_SPELLINGS.map(([role]) => [role.toLowerCase(), role] as const),
  ['fullname', 'name'],
  ['givenname', 'firstName'],
  ['familyname', 'lastName'],
  ['surname', 'lastName'],
  ['tel', 'phone'],
  ['mobile', 'phone'],
  ['telephone', 'phone'],
  ['organization', 'company'],
  ['organisation', 'company'],
  ['url', 'website'],
  ['comment', 'message'],
  ['text', 'message'],
  ['honeypot', 'honeypot'],
]);

const runTogether = (text: string) => wordsOf(text).join('');

/** `workEmail`, `work_email` and `Work E-mail` are all made of the words work and (e) mail. */
function wordsOf(key: string): readonly string[] {
  const known = seen.get(key);
  if (known) return known;
  const apart = key.slice(0, 80).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  const words = foldText(apart).trim().split(' ');
  if (seen.size < MAX_SEEN) seen.set(key, words);
  return words;
}

/** A form sends the same keys with every lead. Bounded, so that made-up keys cannot fill the memory. */
const seen = new Map<string, readonly string[]>();
const MAX_SEEN = 1_000;

function isHoneypot(words: readonly string[]): boolean {
  return HONEYPOT_KEYS.has(words.join('')) || words.some((word) => HONEYPOT_WORDS.has(word));
}

function roleOfWords(words: readonly string[]): Role | 'about' | undefined {
  spellings ??= compileSpellings();
  const { whole, parts } = spellings;
  const joined = words.join('');
  const byWhole = whole.get(joined) ?? whole.get(joined.replace(/\d{1,4}$/, ''));
  if (byWhole) return byWhole;
  if (words.some((word) => NOT_ABOUT_THE_PERSON.has(word))) return 'about';
  let best: { role: Role; rank: number } | undefined;
  for (const word of words) {
    const role = whole.get(word);
    if (role !== undefined) {
      const rank = RANK.get(role) as number;
      if (!best || rank < best.rank) best = { role, rank };
    }
  }
  return best?.role ?? parts.find(([part]) => joined.includes(part))?.[1];
}

const RANK = new Map(KEY_SPELLINGS.map(([role], index) => [role, index]));

let spellings: { whole: Map<string, Role>; parts: (readonly [string, Role])[] } | undefined;

function compileSpellings() {
  const whole = new Map<string, Role>();
  const parts: (readonly [string, Role])[] = [];
  for (const [role, list] of KEY_SPELLINGS) {
    for (const written of stripAccents(list).trim().split(/\s+/)) {
      const word = written.replace(/[*-]/g, '');
      if (written.endsWith('*') || word.charCodeAt(0) >= 0x0590) parts.push([word, role]);
      if (!whole.has(word)) whole.set(word, role);
    }
  }
  return { whole, parts };
}

/** The roles that enrichment reads. It does not use messages. */
export const PERSON_ROLES = [
  'email',
  'phone',
  'name',
  'firstName',
  'lastName',
  'company',
  'website',
  'country',
] as const satisfies readonly Role[];

/**
 * Undefined where auto-detection finds the same values, as it does in most leads: these take no room. Otherwise every
 * role is listed, so that a role without a key is known to be empty.
 */
export function rolesToKeep(fields: LeadFields, found: FoundRoles): { roles: LeadRoles } | undefined {
  const detected = sortEntries(readLead(fields)).roles;
  const roles: Partial<Record<Role, string>> = {};
  let kept: { roles: LeadRoles } | undefined;
  for (const name in { ...detected, ...found }) {
    const role = name as Role;
    const entry = found[role];
    if (entry?.value) roles[role] = entry.key;
    if (entry?.value !== detected[role]?.value) kept = { roles };
  }
  return kept;
}

/** The roles as scoring found them, so that the two never disagree about what a key means. */
export function rolesOfLead(fields: LeadFields, kept: LeadRoles | undefined): FoundRoles {
  if (kept === undefined) return findRoles(fields);
  // Read first, as configured keys are when a lead is scored.
  const entries = readLead(
    fields,
    Object.values(kept).map((key) => ({ key })),
  );
  const roles: Partial<Record<Role, { key: string; value: string }>> = {};
  for (const role of PERSON_ROLES) {
    const key = kept[role];
    const entry =
      key === undefined ? undefined : entries.find((each) => each.key === key && each.value !== '');
    if (entry) roles[role] = (role === 'email' && addressOfField(entry)) || entry;
  }
  return roles;
}

type NameParts = Readonly<Partial<Record<'firstName' | 'name' | 'lastName', string | undefined>>>;

/** Where `nom` and `prénom` are two fields, the first is taken for the whole name. */
export function fullName({ firstName, name, lastName }: NameParts): string {
  if (firstName && lastName) return `${firstName} ${lastName}`;
  const parts = [firstName, name, lastName].filter((part) => part !== undefined);
  return parts.filter((part) => part === name || !name?.includes(part)).join(' ');
}
