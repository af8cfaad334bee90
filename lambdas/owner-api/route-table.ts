import type { Role } from './principal.ts';
import type { Scope } from './scopes.ts';

/** The function that serves a route. */
export type ServedBy = 'settings' | 'diagnostics' | 'members';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A route of the owners' API. Its key in the table is the operation ID of the OpenAPI document. */
export interface Route {
  readonly method: Method;
  readonly path: `/settings/${string}`;
  /** The least role that may use the route. */
  readonly role: Role;
  /** What an API key needs, all of it. Without any, no key may use the route. */
  readonly scopes: readonly Scope[];
  /** Not in the activity log, though it is no GET. */
  readonly changesNothing?: true;
  readonly servedBy: ServedBy;
}

type Row = Omit<Route, 'servedBy'>;
type Pattern = `${Method} /settings/${string}`;

function row(pattern: Pattern, role: Role, scopes: readonly Scope[]): Row {
  const [method, path] = pattern.split(' ') as [Method, Route['path']];
  return { method, path, role, scopes };
}

const viewers = (pattern: Pattern, ...scopes: Scope[]) => row(pattern, 'viewer', scopes);
const owners = (pattern: Pattern, ...scopes: Scope[]) => row(pattern, 'owner', scopes);

function serve<Id extends string>(servedBy: ServedBy, rows: Readonly<Record<Id, Row>>) {
  const routes = Object.entries<Row>(rows).map(([id, each]) => [id, { ...each, servedBy }]);
  return Object.fromEntries(routes) as Readonly<Record<Id, Route>>;
}

/**
 * Every route of the owners' API, and who may use it. Router, gateway routes and access follow from it; API Gateway
 * rejects all other routes before a function sees them. No API key reaches members, keys and the activity log: a stolen
 * key must not make more of itself. Whatever returns the contents of leads needs `leads:read`, or leaves them out for keys
 * without it.
 */
export const ROUTES = {
  ...serve('settings', {
    getWorkspace: viewers('GET /settings/workspace', 'workspace:read'),
    listForms: viewers('GET /settings/forms', 'forms:read'),
    createForm: owners('POST /settings/forms', 'forms:write'),
    getForm: viewers('GET /settings/forms/{formId}', 'forms:read'),
    changeForm: owners('PATCH /settings/forms/{formId}', 'forms:write'),
    archiveForm: owners('POST /settings/forms/{formId}/archive', 'forms:write'),
    listDeliveries: viewers('GET /settings/deliveries', 'forms:read'),
    getDelivery: viewers('GET /settings/forms/{formId}/delivery', 'forms:read'),
    setSecret: owners('PUT /settings/forms/{formId}/delivery/secret', 'tokens:write'),
    rotateSecret: owners('POST /settings/forms/{formId}/delivery/rotate', 'tokens:write'),
    endGrace: owners('DELETE /settings/forms/{formId}/delivery/previous-secret', 'tokens:write'),
    debugSignature: {
      ...owners('POST /settings/forms/{formId}/delivery/debug', 'forms:write'),
      changesNothing: true,
    },
    setProviderSecret: owners('PUT /settings/forms/{formId}/provider/secret', 'tokens:write'),
    endProviderGrace: owners('DELETE /settings/forms/{formId}/provider/previous-secret', 'tokens:write'),
    previewDelivery: {
      ...owners('POST /settings/forms/{formId}/provider/preview', 'forms:write'),
      changesNothing: true,
    },
    listProviders: viewers('GET /settings/providers', 'forms:read'),
    sendTest: owners('POST /settings/forms/{formId}/test', 'forms:write'),
    listLeads: viewers('GET /settings/forms/{formId}/leads', 'leads:read'),
    exportLeads: viewers('GET /settings/forms/{formId}/leads/export', 'leads:read'),
    searchLeads: viewers('GET /settings/leads', 'leads:read'),
    countLeads: viewers('GET /settings/leads/count', 'leads:read'),
    exportListedLeads: viewers('GET /settings/leads/export', 'leads:read'),
    // Happens with every look at a lead, and the lead itself says who was first.
    openLeads: { ...owners('POST /settings/leads/opened', 'leads:write'), changesNothing: true },
    handleLeads: owners('POST /settings/leads/handled', 'leads:write'),
    getLead: viewers('GET /settings/leads/{leadId}', 'leads:read'),
    eraseLead: owners('DELETE /settings/leads/{leadId}', 'leads:write'),
    reviewLead: owners('POST /settings/leads/{leadId}/review', 'leads:write'),
    reviewLeads: owners('POST /settings/leads/review', 'leads:write'),
    exportReviews: viewers('GET /settings/reviews/export', 'leads:read'),
    listSenders: viewers('GET /settings/senders', 'leads:read'),
    putSender: owners('PUT /settings/senders', 'leads:write'),
    getLearning: viewers('GET /settings/learning', 'leads:read'),
    changeLearning: owners('PATCH /settings/learning', 'leads:write', 'leads:read'),
    listLeadMessages: viewers('GET /settings/leads/{leadId}/messages', 'destinations:read'),
    listRelatedLeads: viewers('GET /settings/leads/{leadId}/related', 'leads:read'),
    // Exporting a person's data is an owner's task, and is in the activity log.
    exportPerson: owners('POST /settings/people/export', 'leads:write', 'leads:read'),
    erasePerson: owners('POST /settings/people/erase', 'leads:write'),
    listTokens: viewers('GET /settings/tokens', 'tokens:read'),
    createToken: owners('POST /settings/tokens', 'tokens:write'),
    revokeToken: owners('DELETE /settings/tokens/{tokenId}', 'tokens:write'),
    getStats: viewers('GET /settings/stats', 'stats:read'),
    listDestinations: viewers('GET /settings/destinations', 'destinations:read'),
    createDestination: owners('POST /settings/destinations', 'destinations:write'),
    getDestination: viewers('GET /settings/destinations/{destinationId}', 'destinations:read'),
    changeDestination: owners('PATCH /settings/destinations/{destinationId}', 'destinations:write'),
    deleteDestination: owners('DELETE /settings/destinations/{destinationId}', 'destinations:write'),
    rotateSigningSecret: owners('POST /settings/destinations/{destinationId}/rotate', 'destinations:write'),
    testDestination: owners('POST /settings/destinations/{destinationId}/test', 'destinations:write'),
    tryDestination: owners('POST /settings/destinations/{destinationId}/try', 'destinations:write'),
    askRecipient: owners('POST /settings/destinations/{destinationId}/confirmation', 'destinations:write'),
    listMessages: viewers('GET /settings/destinations/{destinationId}/messages', 'destinations:read'),
    replayMessages: owners('POST /settings/destinations/{destinationId}/replay', 'destinations:write'),
    getMessage: viewers('GET /settings/messages/{messageId}', 'destinations:read'),
    replayMessage: owners('POST /settings/messages/{messageId}/replay', 'destinations:write'),
    listAlerts: viewers('GET /settings/alerts', 'alerts:read'),
    getAlert: viewers('GET /settings/alerts/{alertId}', 'alerts:read'),
    acknowledgeAlert: owners('POST /settings/alerts/{alertId}/seen', 'alerts:write'),
    getAlertSettings: viewers('GET /settings/alert-settings', 'alerts:read'),
    changeAlertSettings: owners('PUT /settings/alert-settings', 'alerts:write'),
    listApiKeys: owners('GET /settings/api-keys'),
    createApiKey: owners('POST /settings/api-keys'),
    revokeApiKey: owners('DELETE /settings/api-keys/{keyId}'),
    listActivity: viewers('GET /settings/activity'),
  }),
  ...serve('diagnostics', {
    getDiagnostics: viewers('GET /settings/diagnostics', 'diagnostics:read'),
    listEvents: viewers('GET /settings/diagnostics/events', 'diagnostics:read'),
    getEvent: viewers('GET /settings/diagnostics/requests/{requestId}', 'diagnostics:read'),
  }),
  ...serve('members', {
    listMembers: viewers('GET /settings/members'),
    inviteMember: owners('POST /settings/members'),
    changeMember: owners('PATCH /settings/members/{memberId}'),
    removeMember: owners('DELETE /settings/members/{memberId}'),
  }),
};

export type OperationId = keyof typeof ROUTES;

/** As log lines and the activity log name a route. */
export const patternOf = ({ method, path }: Route): string => `${method} ${path}`;
