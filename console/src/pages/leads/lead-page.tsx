import { Redirect, useSearch } from 'wouter';
import { useForm, useForms } from '../../api/queries.ts';
import { useTimeText } from '../../shared/moment.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { Page } from '../../shell/page.tsx';
import { LeadDetail } from './detail/lead-detail.tsx';
import { EraseLead } from './erase-lead.tsx';
import { leadsBreadcrumb } from './leads-navigation.ts';
import { useLead } from './use-leads.ts';

interface LeadPageProps {
  readonly formId: string;
  readonly submissionId: string;
}

export default function LeadPage({ formId, submissionId }: LeadPageProps) {
  const lead = useLead(submissionId);
  const form = useForm(formId);
  const above = leadsBreadcrumb(formId, useForms().data?.forms);
  const search = useSearch();
  const timeText = useTimeText();
  const { data, error, isPending } = lead;
  // Often both requests failed for the same reason, so retry both.
  const readAgain = () => {
    void lead.refetch();
    if (form.data === undefined) void form.refetch();
  };
  const query = search && `?${search}`;
  const back = `/forms/${encodeURIComponent(formId)}/leads${query}`;
  if (data && data.formId !== formId) {
    return <Redirect to={`/forms/${data.formId}/leads/${submissionId}${query}`} replace />;
  }
  return (
    <Page
      title={data ? `Lead received ${timeText(data.receivedAt)}` : 'Lead'}
      above={[above, { text: form.data?.name ?? 'Form', href: back }]}
      actions={data && <EraseLead submissionId={submissionId} back={back} />}
    >
      <QueryResult of={{ data, error, isPending, refetch: readAgain }} what="the lead">
        {(read) => (
          <LeadDetail lead={read} form={form.data ?? { formId, fields: [], archivedAt: undefined }} />
        )}
      </QueryResult>
    </Page>
  );
}
