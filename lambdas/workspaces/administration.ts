import { operatorsFinder, ownersFinder } from '../owner-api/items-store.ts';
import { formAdministration } from './forms-store.ts';
import { deliveryAdministration, secretAdministration } from './secrets-store.ts';
import { tokenAdministration } from './tokens-store.ts';
import { type AdministrationContext, workspaceAdministration } from './workspaces-store.ts';

export { AdministrationError } from '../owner-api/errors.ts';

/** Everything that an operator can set up or change. */
export type Administration = ReturnType<typeof makeAdministration>;

/**
 * Every change is written first and then raises the workspace's `configVersion`, as two plain writes, before the caller
 * gets a response. Warm functions notice at the gate, so a change applies from the next submission on. If interrupted in
 * between, repeat the change: all of them are repeatable.
 */
export function makeAdministration(context: AdministrationContext) {
  const workspaces = workspaceAdministration(context);
  const find = operatorsFinder(context.client);
  const forms = formAdministration(context, workspaces, find);
  return {
    createWorkspace: workspaces.create,
    listWorkspaces: workspaces.list,
    suspendWorkspace: workspaces.suspend,
    resumeWorkspace: workspaces.resume,
    createForm: forms.create,
    setFormActive: forms.setActive,
    setFormRetention: forms.setRetention,
    setFormBrowser: forms.setBrowser,
    archiveForm: forms.archive,
    ...tokenAdministration(context, workspaces, forms, find),
    ...secretAdministration(context, workspaces, forms),
  };
}

/** What an owner can set up and change: one workspace and no other. */
export type OwnerAdministration = ReturnType<ReturnType<typeof makeOwnerAdministration>>;

/** Bound to a workspace first, so that no caller can forget whose items are meant. */
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
      hasForm: forms.exists,
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
