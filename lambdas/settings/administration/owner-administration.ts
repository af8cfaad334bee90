import type { AdministrationContext } from './context.ts';
import { ownersFinder } from './find-by-id-store.ts';
import { formAdministration } from './forms-store.ts';
import { deliveryAdministration, secretAdministration } from './secrets-store.ts';
import { tokenAdministration } from './tokens-store.ts';
import { workspaceAdministration } from './workspaces-store.ts';

/** What an owner can set up and change: everything of one workspace, and nothing of any other. */
export type OwnerAdministration = ReturnType<ReturnType<typeof makeOwnerAdministration>>;

/** Bound to a workspace before it takes the first id, so that no caller can forget to say whose things are meant. */
export function makeOwnerAdministration(context: AdministrationContext) {
  const workspaces = workspaceAdministration(context);
  return function administrationOf(workspaceId: string) {
    const find = ownersFinder(context.client, workspaceId);
    const forms = formAdministration(context, workspaces, find);
    const tokens = tokenAdministration(context, workspaces, forms, find);
    return {
      listForms: () => forms.list(workspaceId),
      listArchivedForms: () => forms.list(workspaceId, 'archived'),
      createForm: (name: string) => forms.create({ workspaceId, name }),
      form: forms.require,
      updateForm: forms.update,
      archiveForm: forms.archive,
      listTokens: () => tokens.listTokens(workspaceId),
      createToken: tokens.createToken,
      revokeToken: tokens.revokeToken,
      ...secretAdministration(context, workspaces, forms),
      ...deliveryAdministration(context, forms),
    };
  };
}
