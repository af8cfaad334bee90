import Select from '@cloudscape-design/components/select';
import { useLocation, useSearch } from 'wouter';
import { useArchivedForms, useForms } from '../../api/queries.ts';
import type { Form } from '../../api/types.ts';
import { otherForms } from './other-forms.ts';

/** To the leads of another form, archived or not, under the same filter. Nothing where there is no other. */
export function FormSwitcher({ form }: { readonly form: Form }) {
  const forms = useForms().data?.forms ?? [];
  const archived = useArchivedForms().data?.forms ?? [];
  const [, go] = useLocation();
  const search = useSearch();
  const { here, options, isAlone } = otherForms(form, forms, archived);
  if (isAlone) return null;
  return (
    <div className="form-switcher">
      <Select
        ariaLabel="Form"
        selectedOption={here}
        options={options}
        filteringType={forms.length + archived.length > 10 ? 'auto' : 'none'}
        filteringAriaLabel="Find a form"
        onChange={({ detail }) => {
          const path = `/forms/${encodeURIComponent(detail.selectedOption.value ?? form.formId)}/leads`;
          go(search === '' ? path : `${path}?${search}`);
        }}
      />
    </div>
  );
}
