import type { Principal, Role } from './principal.ts';

/** The least role that may use a route. */
export interface RouteAccess {
  readonly role: Role;
}

const read: RouteAccess = { role: 'viewer' };
const change: RouteAccess = { role: 'owner' };

/** Who may use which route of the settings API. Every route is listed; one that is not is for owners alone. */
export const ROUTE_ACCESS: Readonly<Record<string, RouteAccess>> = {
  'GET /settings/workspace': read,
  'GET /settings/forms': read,
  'POST /settings/forms': change,
  'GET /settings/forms/{formId}': read,
  'PATCH /settings/forms/{formId}': change,
  'POST /settings/forms/{formId}/archive': change,
  'GET /settings/deliveries': read,
  'GET /settings/forms/{formId}/delivery': read,
  'PUT /settings/forms/{formId}/delivery/secret': change,
  'POST /settings/forms/{formId}/delivery/rotate': change,
  'DELETE /settings/forms/{formId}/delivery/previous-secret': change,
  'POST /settings/forms/{formId}/delivery/debug': change,
  'POST /settings/forms/{formId}/test': change,
  'GET /settings/forms/{formId}/leads': read,
  'GET /settings/forms/{formId}/leads/export': read,
  'GET /settings/leads/{leadId}': read,
  'DELETE /settings/leads/{leadId}': change,
  'GET /settings/leads/{leadId}/messages': read,
  'GET /settings/tokens': read,
  'POST /settings/tokens': change,
  'DELETE /settings/tokens/{tokenId}': change,
  'GET /settings/stats': read,
  'GET /settings/destinations': read,
  'POST /settings/destinations': change,
  'GET /settings/destinations/{destinationId}': read,
  'PATCH /settings/destinations/{destinationId}': change,
  'DELETE /settings/destinations/{destinationId}': change,
  'POST /settings/destinations/{destinationId}/rotate': change,
  'POST /settings/destinations/{destinationId}/test': change,
  'GET /settings/destinations/{destinationId}/messages': read,
  'POST /settings/destinations/{destinationId}/replay': change,
  'GET /settings/messages/{messageId}': read,
  'POST /settings/messages/{messageId}/replay': change,
  'GET /settings/alerts': read,
  'GET /settings/alerts/{alertId}': read,
  'GET /settings/alert-settings': read,
  'PUT /settings/alert-settings': change,
  'GET /settings/diagnostics': read,
  'GET /settings/diagnostics/events': read,
  'GET /settings/diagnostics/requests/{requestId}': read,
};

/** Why this principal may not use the route, in words for the caller; undefined if they may. */
export function refusalOf(principal: Principal, route: string): string | undefined {
  const { role } = ROUTE_ACCESS[route] ?? change;
  if (principal.role === 'owner' || role === 'viewer') return undefined;
  return 'Only an owner of this workspace can do this.';
}
