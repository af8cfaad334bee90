import { ok } from '../../middleware/settings/answers.ts';
import { Problem } from '../../middleware/settings/problem.ts';
import { type OwnerRoute, route } from '../../middleware/settings/route.ts';
import type { SettingsDependencies } from '../settings-dependencies.ts';
import { outcomeOf, readTestLead, sampleTestLead, signTest } from '../test-submission.ts';
import { webhookUrl } from '../views.ts';

type Dependencies = Pick<SettingsDependencies, 'administrationOf' | 'webhooks' | 'ingestUrl' | 'now'>;

/** A real submission on Surface 1b, sent by us in the place of a provider. */
export function testRoutes({ administrationOf, webhooks, ingestUrl, now }: Dependencies): OwnerRoute[] {
  return [
    route('POST /settings/forms/{formId}/test', async ({ workspaceId, body, parameter, signal }) => {
      const given = readTestLead(body);
      const administration = administrationOf(workspaceId);
      const form = await administration.form(parameter('formId'));
      if (form.archivedAt !== undefined) {
        throw new Problem('conflict', { detail: 'The form is archived: it takes no submissions any more.' });
      }
      const secret = (await administration.readSecret(form))?.secret;
      if (secret === undefined) {
        throw new Problem('conflict', { detail: 'The form has no secret to sign with: set one first.' });
      }
      const startedAt = now();
      const url = webhookUrl(ingestUrl, form.slug);
      const { webhook, sent } = signTest(url, secret, given ?? sampleTestLead(form), startedAt);
      const reply = await webhooks.post(webhook, signal);
      return ok({ sent, ...outcomeOf(reply), milliseconds: now() - startedAt });
    }),
  ];
}
