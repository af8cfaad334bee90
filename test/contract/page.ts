import { randomBytes } from 'node:crypto';
import { ORIGIN } from '../../conformance/world/page.ts';
import type { Sender } from '../../conformance/world/submission.ts';
import { makeOwnerAdministration } from '../../lambdas/workspaces/administration.ts';
import type { AdministrationContext } from '../../lambdas/workspaces/workspaces-store.ts';

export { newNonce, ORIGIN, openPage } from '../../conformance/world/page.ts';

/** Lets pages of an origin send leads to the sender's form. */
export async function allowPages(
  { client, tables }: Pick<AdministrationContext, 'client' | 'tables'>,
  { workspaceId, formId }: Pick<Sender, 'workspaceId' | 'formId'>,
  origin: string = ORIGIN,
): Promise<void> {
  const administrationOf = makeOwnerAdministration({ client, tables, now: Date.now, randomBytes });
  await administrationOf(workspaceId).updateForm(formId, { browser: { enabled: true, origins: [origin] } });
}
