import type { LeadFields } from '../json-body.ts';
import { findRoles } from '../score/roles.ts';
import type { Role, Roles } from './facts.ts';

const ROLES: readonly Role[] = [
  'email',
  'phone',
  'name',
  'firstName',
  'lastName',
  'company',
  'website',
  'country',
];

/** The roles as scoring finds them, so that the two never disagree about what a key means. */
export function rolesOf(fields: LeadFields): Roles {
  const found = findRoles(fields);
  const roles: Partial<Record<Role, string>> = {};
  for (const role of ROLES) {
    const value = found[role]?.value.trim();
    if (value) roles[role] = value;
  }
  return roles;
}
