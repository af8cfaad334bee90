import { useArchivedForms } from '../api/queries.ts';
import type { ListedForm } from '../api/types.ts';

/** The forms, with the archived ones where an id is of none of them. In most workspaces that costs no read at all. */
export function useNamedForms(
  forms: readonly ListedForm[] | undefined,
  formIds: readonly string[],
): readonly ListedForm[] {
  const listed = new Set(forms?.map(({ formId }) => formId));
  const enabled = forms !== undefined && formIds.some((formId) => !listed.has(formId));
  const archived = useArchivedForms({ enabled });
  return [...(forms ?? []), ...((enabled && archived.data?.forms) || [])];
}
