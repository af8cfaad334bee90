import type { Principal, Role } from './principal.ts';
import type { Scope } from './scopes.ts';

export interface RouteAccess {
  /** The least role that may use the route. */
  readonly role: Role;
  /** What an API key needs, all of it. Without any, no key may use the route. */
  readonly scopes: readonly Scope[];
  /** Not in the activity log, though it is no GET. */
  readonly changesNothing?: boolean;
}

const read = (...scopes: Scope[]): RouteAccess => ({ role: 'viewer', scopes });
const change = (...scopes: Scope[]): RouteAccess => ({ role: 'owner', scopes });

/**
 * Who may use which route of the settings API. Every route is listed; one that is not is for owners alone. No key reaches
 * members, keys and the activity log: a stolen key must not make more of itself. Whatever returns the contents of leads
 * needs `leads:read`, or leaves them out for keys without it.
 */
export const ROUTE_ACCESS: Readonly<Record<string, RouteAccess>> = {
  'GET /settings/workspace': read('workspace:read'),
  'GET /settings/forms': read('forms:read'),
  'POST /settings/forms': change('forms:write'),
  'GET /settings/forms/{formId}': read('forms:read'),
  'PATCH /settings/forms/{formId}': change('forms:write'),
  'POST /settings/forms/{formId}/archive': change('forms:write'),
  'GET /settings/deliveries': read('forms:read'),
  'GET /settings/forms/{formId}/delivery': read('forms:read'),
  'PUT /settings/forms/{formId}/delivery/secret': change('tokens:write'),
  'POST /settings/forms/{formId}/delivery/rotate': change('tokens:write'),
  'DELETE /settings/forms/{formId}/delivery/previous-secret': change('tokens:write'),
  'POST /settings/forms/{formId}/delivery/debug': { ...change('forms:write'), changesNothing: true },
  'POST /settings/forms/{formId}/test': change('forms:write'),
  'GET /settings/forms/{formId}/leads': read('leads:read'),
  'GET /settings/forms/{formId}/leads/export': read('leads:read'),
  'GET /settings/leads': read('leads:read'),
  'GET /settings/leads/{leadId}': read('leads:read'),
  'DELETE /settings/leads/{leadId}': change('leads:write'),
  'GET /settings/leads/{leadId}/messages': read('destinations:read'),
  'GET /settings/leads/{leadId}/related': read('leads:read'),
  'POST /settings/leads/{leadId}/review': change('leads:write'),
  'POST /settings/leads/review': change('leads:write'),
  'GET /settings/reviews/export': read('leads:read'),
  'GET /settings/senders': read('leads:read'),
  'PUT /settings/senders': change('leads:write'),
  // Exporting a person's data is an owner's task, and is in the activity log.
  'POST /settings/people/export': change('leads:write', 'leads:read'),
  'POST /settings/people/erase': change('leads:write'),
  'GET /settings/tokens': read('tokens:read'),
  'POST /settings/tokens': change('tokens:write'),
  'DELETE /settings/tokens/{tokenId}': change('tokens:write'),
  'GET /settings/stats': read('stats:read'),
  'GET /settings/destinations': read('destinations:read'),
  'POST /settings/destinations': change('destinations:write'),
  'GET /settings/destinations/{destinationId}': read('destinations:read'),
  'PATCH /settings/destinations/{destinationId}': change('destinations:write'),
  'DELETE /settings/destinations/{destinationId}': change('destinations:write'),
  'POST /settings/destinations/{destinationId}/rotate': change('destinations:write'),
  'POST /settings/destinations/{destinationId}/test': change('destinations:write'),
  'POST /settings/destinations/{destinationId}/confirmation': change('destinations:write'),
  'GET /settings/destinations/{destinationId}/messages': read('destinations:read'),
  'POST /settings/destinations/{destinationId}/replay': change('destinations:write'),
  'GET /settings/messages/{messageId}': read('destinations:read'),
  'POST /settings/messages/{messageId}/replay': change('destinations:write'),
  'GET /settings/alerts': read('alerts:read'),
  'GET /settings/alerts/{alertId}': read('alerts:read'),
  'GET /settings/alert-settings': read('alerts:read'),
  'PUT /settings/alert-settings': change('alerts:write'),
  'GET /settings/members': read(),
  'POST /settings/members': change(),
  'PATCH /settings/members/{memberId}': change(),
  'DELETE /settings/members/{memberId}': change(),
  'GET /settings/api-keys': change(),
  'POST /settings/api-keys': change(),
  'DELETE /settings/api-keys/{keyId}': change(),
  'GET /settings/activity': read(),
  'GET /settings/diagnostics': read('diagnostics:read'),
  'GET /settings/diagnostics/events': read('diagnostics:read'),
  'GET /settings/diagnostics/requests/{requestId}': read('diagnostics:read'),
};

const UNLISTED = change();

/** Why this principal may not use the route, in words for the caller; undefined if they may. */
export function refusalOf(principal: Principal, route: string): string | undefined {
  const { role, scopes } = ROUTE_ACCESS[route] ?? UNLISTED;
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
  return refusalOf(principal, 'GET /settings/members') === undefined;
}

/** Whether an answer to this principal may have what is in leads. Every member may read them. */
export function mayReadLeads(principal: Principal): boolean {
  return principal.kind === 'user' || principal.scopes.includes('leads:read');
}

/** Whether a successful request is a change, which belongs in the activity log. */
export function isChange(route: string): boolean {
  return !route.startsWith('GET ') && ROUTE_ACCESS[route]?.changesNothing !== true;
}
