import type { ListedForm } from '../../api/types.ts';
import { ARCHIVED_FORM, formNames } from '../../shared/forms.ts';

/** How to speak of the forms that rejections name: rejections outlive a form that is archived. */
export interface KnownForms {
  /** A rejection may have no form: an unknown token or an ambiguous address names none. */
  nameOf(formId: string | undefined): string;
  /** Those of them in which something can still be put right. */
  takingLeads(formIds: readonly string[]): { readonly formId: string; readonly name: string }[];
  /** All of them, archived ones last. */
  readonly all: readonly { readonly formId: string; readonly name: string }[];
}

/** The archived ones are undefined until they are read. */
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
