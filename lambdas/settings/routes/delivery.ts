import { debugSignature, readSignedRequest } from '../../debugger/debug-signature.ts';
import { optional, readFields, readFieldsIfAny, wholeNumber } from '../fields.ts';
import { type OwnerRoute, route } from '../owner-pipeline.ts';
import type { OwnerRequest } from '../owner-request.ts';
import { created, ok } from '../problem.ts';
import type { SettingsDependencies } from '../settings-dependencies.ts';
import { deliveryView, ownSecret } from '../views.ts';

const WEEK_SECONDS = 7 * 24 * 60 * 60;
const ROTATION = { graceSeconds: optional(wholeNumber({ min: 0, max: WEEK_SECONDS })) };

/** How a provider proves that a webhook is its own: the form's address, its secret, and what went wrong. */
export function deliveryRoutes(dependencies: SettingsDependencies): OwnerRoute[] {
  const { administrationOf, secretDates, lastUses, usage, ingestUrl, now } = dependencies;

  async function showDelivery({ workspaceId, parameter, signal }: OwnerRequest) {
    const administration = administrationOf(workspaceId);
    const form = await administration.form(parameter('formId'));
    const [secret, uses] = await Promise.all([
      administration.readSecret(form),
      lastUses.read(workspaceId, `secret#${form.formId}#`, signal),
    ]);
    return ok(deliveryView(form, { secret, uses, ingestUrl, nowMilliseconds: now() }));
  }

  return [
    route('GET /settings/deliveries', async ({ workspaceId, query, signal }) => {
      readFields(query, {});
      const [forms, uses] = await Promise.all([
        administrationOf(workspaceId).listForms(),
        lastUses.read(workspaceId, 'secret#', signal),
      ]);
      const secrets = await secretDates.read(forms, signal);
      const known = { uses, ingestUrl, nowMilliseconds: now() };
      return ok({
        deliveries: forms.map((form, index) => deliveryView(form, { ...known, secret: secrets[index] })),
      });
    }),

    route('GET /settings/forms/{formId}/delivery', async (request) => {
      readFields(request.query, {});
      return showDelivery(request);
    }),

    route('PUT /settings/forms/{formId}/delivery/secret', async ({ workspaceId, body, parameter }) => {
      const given = readFieldsIfAny(body, { secret: optional(ownSecret) });
      const { formId, secret } = await administrationOf(workspaceId).setSecret({
        formId: parameter('formId'),
        ...(given.secret !== undefined && { secret: given.secret }),
      });
      // A secret is shown once, and only if we generated it: an owner who chose one knows it.
      return ok({ formId, ...(given.secret === undefined && { secret }) });
    }),

    route('POST /settings/forms/{formId}/delivery/rotate', async ({ workspaceId, body, parameter }) => {
      const { graceSeconds = 0 } = readFieldsIfAny(body, ROTATION);
      const { formId, secret, previousWorksUntil } = await administrationOf(workspaceId).rotateSecret({
        formId: parameter('formId'),
        graceMilliseconds: graceSeconds * 1000,
      });
      return created({ formId, secret, previousWorksUntil });
    }),

    route('DELETE /settings/forms/{formId}/delivery/previous-secret', async (request) => {
      readFields(request.query, {});
      await administrationOf(request.workspaceId).endGrace(request.parameter('formId'));
      return showDelivery(request);
    }),

    route('POST /settings/forms/{formId}/delivery/debug', async (request) => {
      const signed = readSignedRequest(request.body);
      const administration = administrationOf(request.workspaceId);
      const form = await administration.form(request.parameter('formId'));
      const [secret, others, workspace] = await Promise.all([
        administration.readSecret(form),
        administration.otherSecrets(form, request.signal),
        usage.read(request.workspaceId, request.signal),
      ]);
      return ok(debugSignature(signed, { form, secret, others, workspace }, now()));
    }),
  ];
}
