import { operatorsFinder, ownersFinder } from '../owner-api/items-store.ts';
import { requireChoice } from './form-provider.ts';
import { type FormAdministration, type FormChanges, formAdministration } from './forms-store.ts';
import { providerSecretAdministration } from './provider-secrets-store.ts';
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
  const providers = providerSecretAdministration(context, workspaces, forms);
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
    ...providers,
    /** Null if leads no longer come from a provider. */
    setFormProvider: (formId: string, provider: NonNullable<FormChanges['provider']> | null) =>
      changeForm(forms, providers, formId, { provider }),
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
    const providers = providerSecretAdministration(context, workspaces, forms);
    return {
      listForms: () => forms.list(workspaceId),
      listArchivedForms: () => forms.list(workspaceId, 'archived'),
      createForm: (name: string) => forms.create({ workspaceId, name }),
      form: forms.require,
      hasForm: forms.exists,
      updateForm: (formId: string, changes: FormChanges) => changeForm(forms, providers, formId, changes),
      archiveForm: forms.archive,
      listTokens: () => tokens.listTokens(workspaceId),
      createToken: tokens.createToken,
      revokeToken: tokens.revokeToken,
      ...secretAdministration(context, workspaces, forms),
      ...providers,
      ...deliveryAdministration(context, forms),
    };
  };
}

/** A secret belongs to its provider, and goes with it. */
async function changeForm(
  forms: FormAdministration,
  { forgetOtherProvider }: ReturnType<typeof providerSecretAdministration>,
  formId: string,
  changes: FormChanges,
) {
  const { provider } = changes;
  requireChoice(provider);
  if (provider !== undefined) await forgetOtherProvider(formId, provider?.name);
  return forms.update(formId, changes);
}
