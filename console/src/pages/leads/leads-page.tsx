import { useForm, useForms } from '../../api/queries.ts';
import { WhenRead } from '../../shared/states.tsx';
import { Page } from '../../shell/page.tsx';
import { FormLeads } from './form-leads.tsx';
import { aboveLeads } from './leads-above.ts';
import { LeadsActions } from './leads-actions.tsx';

export default function LeadsPage({ formId }: { readonly formId: string }) {
  const form = useForm(formId);
  const above = aboveLeads(formId, useForms().data?.forms);
  return (
    <Page
      title={form.data ? `Leads of ${form.data.name}` : 'Leads'}
      above={[above]}
      actions={form.data && <LeadsActions form={form.data} />}
    >
      <WhenRead of={form} what="the form">
        {(read) => <FormLeads form={read} />}
      </WhenRead>
    </Page>
  );
}
