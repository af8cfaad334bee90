import { Redirect, useSearch } from 'wouter';
import { useForm } from '../../api/queries.ts';
import { localTime } from '../../shared/moment.tsx';
import { WhenRead } from '../../shared/states.tsx';
import { Page } from '../../shell/page.tsx';
import { EraseLead } from './erase-lead.tsx';
import { LeadDetail } from './lead-detail.tsx';
import { useLead } from './use-lead.ts';

interface LeadPageProps {
  readonly formId: string;
  readonly leadId: string;
}

export default function LeadPage({ formId, leadId }: LeadPageProps) {
  const lead = useLead(leadId);
  const form = useForm(formId);
  const search = useSearch();
  const query = search && `?${search}`;
  const back = `/forms/${encodeURIComponent(formId)}/leads${query}`;
  if (lead.data && lead.data.formId !== formId) {
    return <Redirect to={`/forms/${lead.data.formId}/leads/${leadId}${query}`} replace />;
  }
  return (
    <Page
      title={lead.data ? `Lead of ${localTime(lead.data.receivedAt)}` : 'Lead'}
      above={[
        { text: 'Leads', href: '/leads' },
        { text: form.data?.name ?? 'Form', href: back },
      ]}
      actions={lead.data && <EraseLead leadId={leadId} back={back} />}
    >
      <WhenRead of={lead} what="the lead">
        {(read) => (
          <LeadDetail lead={read} form={form.data ?? { formId, fields: [], archivedAt: undefined }} />
        )}
      </WhenRead>
    </Page>
  );
}
