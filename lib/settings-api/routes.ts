import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';

const { DELETE, GET, PATCH, POST, PUT } = HttpMethod;

/** Which function answers. */
export type SettingsPart = 'settings' | 'diagnostics';

/** Every route of the owner's API, one by one: what is not here does not exist, whatever a function would make of it. */
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
    '/settings/leads/{leadId}': [GET, DELETE],
    '/settings/tokens': [GET, POST],
    '/settings/tokens/{tokenId}': [DELETE],
    '/settings/stats': [GET],
  },
  diagnostics: {
    '/settings/diagnostics': [GET],
    '/settings/diagnostics/events': [GET],
    '/settings/diagnostics/requests/{requestId}': [GET],
  },
};
