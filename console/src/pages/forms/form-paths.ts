/** Where the archived forms are listed. */
export const ARCHIVED_FORMS_PATH = '/forms?archived=shown';

export function formPath({ formId }: { readonly formId: string }): string {
  return `/forms/${encodeURIComponent(formId)}`;
}
