import type { LeadFields, LeadRoles, Role } from '../../model/lead-fields.ts';
import { readLead } from '../../scoring/lead-text.ts';
import { type FoundField, PERSON_ROLES, sortEntries } from '../../scoring/roles.ts';

/** These say who wrote, and where from, and not what. */
const CONTACT: ReadonlySet<Role | undefined> = new Set<Role>(PERSON_ROLES);
const MAX_CHARACTERS = 140;

/**
 * What the person wrote: the field for the message, or else the longest text of a field that says nothing about who
 * wrote. Recognized as in scoring.
 */
export function messageOf(fields: LeadFields, kept: LeadRoles = {}): string | undefined {
  const configuration = Object.entries(kept).map(([role, key]) => ({ key, role }));
  const { roles, byRole } = sortEntries(readLead(fields, configuration), configuration);
  if (roles.message?.value.trim()) return wholeText(fields, roles.message);
  const contact = new Set(
    Object.entries(roles).flatMap(([role, found]) => (isContact(role) ? found.key : [])),
  );
  const others = byRole.flatMap(([entry, role]) =>
    CONTACT.has(role) || contact.has(entry.key) || !isText(entry.value) ? [] : entry,
  );
  const [longest] = others.sort((a, b) => b.value.length - a.value.length);
  return longest && wholeText(fields, longest);
}

/** Scoring reads the beginning of long texts. */
function wholeText(fields: LeadFields, { key, value }: FoundField): string {
  const sent = Object.hasOwn(fields, key) ? fields[key] : undefined;
  const isWhole = typeof sent === 'string' && sent.trim().startsWith(value);
  return isWhole ? sent.trim() : value;
}

const isContact = (role: string) => CONTACT.has(role as Role);

/** `true`, numbers and dates are values of a form, and no text. */
const isText = (value: string) => /\p{L}/u.test(value) && value !== 'true' && value !== 'false';

/** Its first words, on one line. */
export function previewOf(fields: LeadFields, kept?: LeadRoles): string | undefined {
  const line = messageOf(fields, kept)?.replace(/\s+/g, ' ').trim();
  if (!line) return undefined;
  const characters = [...graphemes.segment(line.slice(0, 20 * MAX_CHARACTERS))].map(({ segment }) => segment);
  if (characters.length <= MAX_CHARACTERS) return line;
  return `${characters
    .slice(0, MAX_CHARACTERS - 1)
    .join('')
    .trimEnd()}…`;
}

/** A family emoji or an accent of its own is one character to a reader. */
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
