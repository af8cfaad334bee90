import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';

const { DELETE, GET, PATCH, POST, PUT } = HttpMethod;

/** The function that handles the route. */
export type SettingsPart = 'settings' | 'diagnostics' | 'members';

/** Every route of the owner's API. API Gateway rejects all others before a function sees them. */
export const SETTINGS_ROUTES: Readonly<
  Record<SettingsPart, Readonly<Record<string, readonly HttpMethod[]>>>
> = {
  settings: {
    '/settings/workspace': [GET],
    '/settings/forms': [GET, POST],
    '/settings/forms/{formId}': [GET, PATCH],
    '/settings/forms/{formId}/archive': [POST],
    '/settings/deliveries': [GET],
    '/settings/forms/{formId}/delivery': [GET],
    '/settings/forms/{formId}/delivery/secret': [PUT],
    '/settings/forms/{formId}/delivery/rotate': [POST],
    '/settings/forms/{formId}/delivery/previous-secret': [DELETE],
    '/settings/forms/{formId}/delivery/debug': [POST],
    '/settings/forms/{formId}/test': [POST],
    '/settings/forms/{formId}/leads': [GET],
    '/settings/forms/{formId}/leads/export': [GET],
    '/settings/leads': [GET],
    '/settings/leads/{leadId}': [GET, DELETE],
    '/settings/leads/{leadId}/review': [POST],
    '/settings/leads/review': [POST],
    '/settings/reviews/export': [GET],
    '/settings/senders': [GET, PUT],
    '/settings/leads/{leadId}/messages': [GET],
    '/settings/leads/{leadId}/related': [GET],
    '/settings/people/export': [POST],
    '/settings/people/erase': [POST],
    '/settings/tokens': [GET, POST],
    '/settings/tokens/{tokenId}': [DELETE],
    '/settings/stats': [GET],
    '/settings/destinations': [GET, POST],
    '/settings/destinations/{destinationId}': [GET, PATCH, DELETE],
    '/settings/destinations/{destinationId}/rotate': [POST],
    '/settings/destinations/{destinationId}/test': [POST],
    '/settings/destinations/{destinationId}/confirmation': [POST],
    '/settings/destinations/{destinationId}/messages': [GET],
    '/settings/destinations/{destinationId}/replay': [POST],
    '/settings/messages/{messageId}': [GET],
    '/settings/messages/{messageId}/replay': [POST],
    '/settings/alerts': [GET],
    '/settings/alerts/{alertId}': [GET],
    '/settings/alert-settings': [GET, PUT],
    '/settings/api-keys': [GET, POST],
    '/settings/api-keys/{keyId}': [DELETE],
    '/settings/activity': [GET],
  },
  diagnostics: {
    '/settings/diagnostics': [GET],
    '/settings/diagnostics/events': [GET],
    '/settings/diagnostics/requests/{requestId}': [GET],
  },
  members: {
    '/settings/members': [GET, POST],
    '/settings/members/{memberId}': [PATCH, DELETE],
  },
};
