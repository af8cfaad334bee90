import type { LeadFields } from '../json-body.ts';
import { type LeadRoles, PERSON_ROLES, rolesOfLead } from '../score/lead-roles.ts';
import type { Role, Roles } from './facts.ts';

/** What stands under each role, by what was kept with the lead or else by auto-detection. */
export function rolesOf(fields: LeadFields, kept?: LeadRoles): Roles {
  const found = rolesOfLead(fields, kept);
  const roles: Partial<Record<Role, string>> = {};
  for (const role of PERSON_ROLES) {
    const value = found[role]?.value.trim();
    if (value) roles[role] = value;
  }
  return roles;
}
