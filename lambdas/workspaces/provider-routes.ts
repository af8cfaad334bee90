import { optional, readFields, readFieldsIfAny, text, wholeNumber } from '../owner-api/fields.ts';
import { type OwnerRoute, route } from '../owner-api/owner-pipeline.ts';
import { ok } from '../owner-api/problem.ts';
import { PROVIDERS } from '../sources/providers.ts';
import { showDelivery } from './delivery-routes.ts';
import { listedProvider, previewDelivery, toolUrl } from './form-provider.ts';
import type { WorkspaceRouteDependencies } from './workspace-routes.ts';

const WEEK_SECONDS = 7 * 24 * 60 * 60;

/** Far above every secret: what is wrong with one, its provider's row says. */
const NEW_SECRET = {
  secret: optional(text({ min: 0, max: 1_000 })),
  graceSeconds: optional(wholeNumber({ min: 0, max: WEEK_SECONDS })),
};

/** The request itself has a limit. */
const anyText = text({ min: 0, max: Number.MAX_SAFE_INTEGER });

/** Leads that webhook providers send in their own way. A form chooses its provider with `changeForm`. */
export function providerRoutes(dependencies: WorkspaceRouteDependencies): OwnerRoute[] {
  const { administrationOf, sourcesUrl } = dependencies;
  return [
    route('listProviders', async ({ query }) => {
      readFields(query, {});
      return ok({ providers: [...PROVIDERS.values()].map(listedProvider), toolUrl: toolUrl(sourcesUrl) });
    }),

    route('setProviderSecret', async ({ workspaceId, body, parameter }) => {
      const { secret: pasted, graceSeconds = 0 } = readFieldsIfAny(body, NEW_SECRET);
      const { formId, secret, previousWorksUntil } = await administrationOf(workspaceId).setProviderSecret({
        formId: parameter('formId'),
        secret: pasted,
        graceMilliseconds: graceSeconds * 1000,
      });
      return ok({ formId, secret, previousWorksUntil });
    }),

    route('endProviderGrace', async (request) => {
      readFields(request.query, {});
      await administrationOf(request.workspaceId).endProviderGrace(request.parameter('formId'));
      return showDelivery(dependencies, request);
    }),

    route('previewDelivery', async ({ workspaceId, body, parameter }) => {
      const { body: example } = readFields(body, { body: anyText });
      const form = await administrationOf(workspaceId).form(parameter('formId'));
      return ok(previewDelivery(form, example));
    }),
  ];
}
