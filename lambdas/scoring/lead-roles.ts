import type { Role } from './key-spellings.ts';
import { type LeadFields, readLead } from './read-lead.ts';
import { addressIn, type FoundRoles, findRoles, sortEntries } from './roles.ts';

/** What enrichment reads of a lead. A message tells it nothing. */
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

/** Which key has which role. Kept with a lead whose form says something else than its keys and values do. */
export type LeadRoles = Readonly<Partial<Record<Role, string>>>;

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
    if (entry) roles[role] = (role === 'email' && addressIn(entry)) || entry;
  }
  return roles;
}
