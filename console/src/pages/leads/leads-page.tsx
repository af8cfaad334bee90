import Button from '@cloudscape-design/components/button';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useLocation, useSearch } from 'wouter';
import { useArchivedForms, useForm, useForms } from '../../api/queries.ts';
import type { Form } from '../../api/types.ts';
import { QueryResult } from '../../shared/states.tsx';
import { useFollow } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { FormLeads } from './form-leads.tsx';
import { formOptions, leadsBreadcrumb } from './leads-navigation.ts';

export default function LeadsPage({ formId }: { readonly formId: string }) {
  const form = useForm(formId);
  const above = leadsBreadcrumb(formId, useForms().data?.forms);
  return (
    <Page
      title={form.data ? `Leads: ${form.data.name}` : 'Leads'}
      above={[above]}
      actions={form.data && <LeadsActions form={form.data} />}
    >
      <QueryResult of={form} what="the form">
        {(read) => <FormLeads form={read} />}
      </QueryResult>
    </Page>
  );
}

/** Archived forms have no settings. */
function LeadsActions({ form }: { readonly form: Form }) {
  const follow = useFollow();
  const isLive = form.archivedAt === undefined;
  const address = `/forms/${encodeURIComponent(form.formId)}`;
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <FormSwitcher form={form} />
      {isLive && (
        <Button href={address} onFollow={follow}>
          Form settings
        </Button>
      )}
      {isLive && (
        <Button href={`${address}/delivery`} onFollow={follow}>
          Delivery settings
        </Button>
      )}
    </SpaceBetween>
  );
}

/** Switches to the leads of another form with the same filter. */
function FormSwitcher({ form }: { readonly form: Form }) {
  const forms = useForms().data?.forms ?? [];
  const archived = useArchivedForms().data?.forms ?? [];
  const [, go] = useLocation();
  const search = useSearch();
  const { here, options, isAlone } = formOptions(form, forms, archived);
  if (isAlone) return null;
  return (
    <div className="narrow-select">
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
