import Select from '@cloudscape-design/components/select';
import { useLocation, useSearch } from 'wouter';
import { useForms } from '../../api/queries.ts';
import type { Form } from '../../api/types.ts';
import { formNames } from '../../shared/form-names.ts';

/** To the leads of another form, under the same filter. Nothing where there is no other. */
export function FormSwitcher({ form }: { readonly form: Form }) {
  const { data } = useForms();
  const [, go] = useLocation();
  const search = useSearch();
  const listed = data?.forms ?? [];
  const names = formNames(listed);
  const options = listed.map(({ formId }) => ({ value: formId, label: names.get(formId) ?? formId }));
  const here = { value: form.formId, label: names.get(form.formId) ?? form.name };
  if (options.every(({ value }) => value === form.formId)) return null;
  return (
    <Select
      ariaLabel="Form"
      selectedOption={here}
      options={options}
      filteringType={options.length > 10 ? 'auto' : 'none'}
      filteringAriaLabel="Find a form"
      onChange={({ detail }) => {
        const path = `/forms/${encodeURIComponent(detail.selectedOption.value ?? form.formId)}/leads`;
        go(search === '' ? path : `${path}?${search}`);
      }}
    />
  );
}
