import type { InboxLead, ListedForm } from '../../api/types.ts';
import { formNames, newestArchivedFirst } from '../../shared/forms.ts';

type Named = Pick<ListedForm, 'formId' | 'name' | 'slug' | 'archivedAt'>;

/** Options of a choice of forms, with archived forms in their own group. */
export function formOptions(forms: readonly Named[], archived: readonly Named[]) {
  const names = formNames([...forms, ...archived]);
  const optionOf = ({ formId, name }: Named) => ({ value: formId, label: names.get(formId) ?? name });
  return [
    ...forms.map(optionOf),
    ...(archived.length > 0
      ? [{ label: 'Archived forms', options: newestArchivedFirst(archived).map(optionOf) }]
      : []),
  ];
}

/** A lead's page, with the list that it was opened from: its filter and page. */
export function leadAddress(lead: Pick<InboxLead, 'formId' | 'submissionId'>, search: string): string {
  const path = `/forms/${encodeURIComponent(lead.formId)}/leads/${encodeURIComponent(lead.submissionId)}`;
  return search === '' ? path : `${path}?${search}`;
}

/** The parameter of a lead's page that is not one of the list. */
export const TAB = 'tab';

export function leadsAddress(search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.delete(TAB);
  return parameters.size === 0 ? '/leads' : `/leads?${parameters}`;
}
