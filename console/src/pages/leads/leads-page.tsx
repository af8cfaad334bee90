import { useForm } from '../../api/queries.ts';
import { WhenRead } from '../../shared/states.tsx';
import { Page } from '../../shell/page.tsx';
import { FormLeads } from './form-leads.tsx';
import { LeadsActions } from './leads-actions.tsx';

export default function LeadsPage({ formId }: { readonly formId: string }) {
  const form = useForm(formId);
  return (
    <Page
      title={form.data ? `Leads of ${form.data.name}` : 'Leads'}
      above={[{ text: 'Leads', href: '/leads' }]}
      actions={form.data && <LeadsActions form={form.data} />}
    >
      <WhenRead of={form} what="the form">
        {(read) => <FormLeads form={read} />}
      </WhenRead>
    </Page>
  );
}
