import type { ListedForm } from '../../api/types.ts';
import { formNames } from '../../shared/form-names.ts';
import { lastArchivedFirst } from '../forms/archived/last-archived-first.ts';

type Named = Pick<ListedForm, 'formId' | 'name' | 'slug' | 'archivedAt'>;

/** The choices of a form switcher: archived forms in a group of their own, below the others. */
export function otherForms(form: Named, forms: readonly Named[], archived: readonly Named[]) {
  const all = [...forms, ...archived];
  const names = formNames(all.some(({ formId }) => formId === form.formId) ? all : [...all, form]);
  const optionOf = ({ formId, name }: Named) => ({ value: formId, label: names.get(formId) ?? name });
  return {
    here: optionOf(form),
    options: [
      ...forms.map(optionOf),
      ...(archived.length > 0
        ? [{ label: 'Archived forms', options: lastArchivedFirst(archived).map(optionOf) }]
        : []),
    ],
    isAlone: all.every(({ formId }) => formId === form.formId),
  };
}
