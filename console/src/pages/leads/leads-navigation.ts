import type { ListedForm } from '../../api/types.ts';
import { formNames, newestArchivedFirst } from '../../shared/forms.ts';

const ALL_LEADS = { text: 'Leads', href: '/leads' };
const ALL_FORMS = { text: 'Forms', href: '/forms' };

/** With a single form, /leads redirects back here, so link to the forms instead. */
export function leadsBreadcrumb(formId: string, forms: readonly { readonly formId: string }[] | undefined) {
  return forms?.length === 1 && forms[0]?.formId === formId ? ALL_FORMS : ALL_LEADS;
}

type Named = Pick<ListedForm, 'formId' | 'name' | 'slug' | 'archivedAt'>;

/** Options of the form switcher, with archived forms in their own group. */
export function formOptions(form: Named, forms: readonly Named[], archived: readonly Named[]) {
  const all = [...forms, ...archived];
  const names = formNames(all.some(({ formId }) => formId === form.formId) ? all : [...all, form]);
  const optionOf = ({ formId, name }: Named) => ({ value: formId, label: names.get(formId) ?? name });
  return {
    here: optionOf(form),
    options: [
      ...forms.map(optionOf),
      ...(archived.length > 0
        ? [{ label: 'Archived forms', options: newestArchivedFirst(archived).map(optionOf) }]
        : []),
    ],
    isAlone: all.every(({ formId }) => formId === form.formId),
  };
}
