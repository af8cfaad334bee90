import type { Principal } from './principal.ts';
import { ROUTES, type Route } from './route-table.ts';

/** Why this principal may not use the route, in words for the caller; undefined if they may. */
export function refusalOf(
  principal: Principal,
  { role, scopes }: Pick<Route, 'role' | 'scopes'>,
): string | undefined {
  if (principal.kind === 'key') {
    if (scopes.length === 0) return "API keys can't use this. Sign in as an owner.";
    const missing = scopes.find((scope) => !principal.scopes.includes(scope));
    return missing && `This API key needs the scope ${missing}.`;
  }
  if (principal.role === 'owner' || role === 'viewer') return undefined;
  return 'Only an owner of this workspace can do this.';
}

/** Whether the caller may know who is a member of the workspace. */
export function seesMembers(principal: Principal): boolean {
  return refusalOf(principal, ROUTES.listMembers) === undefined;
}

/** Whether a response to this principal may have what is in leads. Every member may read them. */
export function mayReadLeads(principal: Principal): boolean {
  return principal.kind === 'user' || principal.scopes.includes('leads:read');
}

/** Whether a successful request is a change, which belongs in the activity log. */
export function isChange({ method, changesNothing }: Pick<Route, 'method' | 'changesNothing'>): boolean {
  return method !== 'GET' && changesNothing !== true;
}
