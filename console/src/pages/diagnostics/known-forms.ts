import type { ListedForm } from '../../api/types.ts';
import { ARCHIVED_FORM, formNames } from '../../shared/forms.ts';

/** Names of the forms in rejections, including archived ones. */
export interface KnownForms {
  /** Some rejections have no form, such as those of an unknown token. */
  nameOf(formId: string | undefined): string;
  /** The given forms that aren't archived. */
  takingLeads(formIds: readonly string[]): { readonly formId: string; readonly name: string }[];
  /** All forms, archived ones last. */
  readonly all: readonly { readonly formId: string; readonly name: string }[];
}

/** `archived` is undefined until it is loaded. */
export function knownForms(
  live: readonly ListedForm[],
  archived: readonly ListedForm[] | undefined,
): KnownForms {
  const names = formNames([...live, ...(archived ?? [])]);
  const unknown = archived === undefined ? ARCHIVED_FORM : 'Unknown form';
  const nameOf = (formId: string | undefined) =>
    formId === undefined ? 'No form' : (names.get(formId) ?? unknown);
  const isLive = (formId: string) => live.some((form) => form.formId === formId);
  return {
    nameOf,
    takingLeads: (formIds) => formIds.filter(isLive).map((formId) => ({ formId, name: nameOf(formId) })),
    all: [...names].map(([formId, name]) => ({ formId, name })),
  };
}
