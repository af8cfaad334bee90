import type { ListedForm } from '../../api/types.ts';
import { formNames, newestArchivedFirst } from '../../shared/forms.ts';

const ALL_LEADS = { text: 'Leads', href: '/leads' };
const ALL_FORMS = { text: 'Forms', href: '/forms' };

/** The page above a form's leads. Of the only form, the choice of a form would lead back here. */
export function leadsBreadcrumb(formId: string, forms: readonly { readonly formId: string }[] | undefined) {
  return forms?.length === 1 && forms[0]?.formId === formId ? ALL_FORMS : ALL_LEADS;
}

type Named = Pick<ListedForm, 'formId' | 'name' | 'slug' | 'archivedAt'>;

/** The choices of a form switcher: archived forms in a group of their own, below the others. */
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
