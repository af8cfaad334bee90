import type { ListedForm } from '../../api/types.ts';
import { ARCHIVED_FORM, formNames } from '../../shared/form-names.ts';

/** A rejection may have no form: an unknown token or an ambiguous address names none. */
export function namerOfForms(forms: readonly ListedForm[]): (formId: string | undefined) => string {
  const names = formNames(forms);
  return (formId) => (formId === undefined ? 'No form' : (names.get(formId) ?? ARCHIVED_FORM));
}
