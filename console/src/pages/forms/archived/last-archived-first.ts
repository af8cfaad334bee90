import type { ListedForm } from '#console/api/types.ts';

/** Most are looked for soon after they were archived. */
export function lastArchivedFirst<Form extends Pick<ListedForm, 'archivedAt'>>(
  forms: readonly Form[],
): Form[] {
  return forms.toSorted((a, b) => (b.archivedAt ?? '').localeCompare(a.archivedAt ?? ''));
}
