import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMemo } from 'react';
import { Redirect, useSearch } from 'wouter';
import { fieldsTextOf } from '#model/lead-fields.ts';
import { useForm } from '../../api/queries.ts';
import type { FormField } from '../../api/types.ts';
import { leadsPath } from '../../shared/forms.ts';
import { Moment } from '../../shared/moment.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { Page } from '../../shell/page.tsx';
import { leadContent, leadTitle } from './detail/contact.ts';
import { ContactPanel } from './detail/fields-panel.tsx';
import { LeadTabs } from './detail/lead-tabs.tsx';
import { NeighbourButtons } from './detail/neighbour-buttons.tsx';
import { ScorePanel } from './detail/score-panel.tsx';
import { EraseLead } from './erase-lead.tsx';
import { HandleButton, HandledSummary } from './handling/handle-lead.tsx';
import { useMarkOpened } from './handling/use-handling.ts';
import { leadAddress, leadsAddress } from './leads-navigation.ts';
import { ReviewLead } from './review/review-lead.tsx';
import { useLead } from './use-lead.ts';

interface LeadPageProps {
  readonly formId: string;
  readonly submissionId: string;
}

/** Who wrote, how to reply, the message, the score and the actions. Everything else is in tabs. */
export default function LeadPage({ formId, submissionId }: LeadPageProps) {
  const lead = useLead(submissionId);
  const form = useForm(formId);
  const search = useSearch();
  const { data, error, isPending } = lead;
  useMarkOpened(data);
  const fields = form.data?.fields ?? NO_FIELDS;
  const sent = data && fieldsTextOf(data);
  const content = useMemo(() => (sent === undefined ? undefined : leadContent(sent, fields)), [sent, fields]);
  // Often both requests failed for the same reason, so retry both.
  const readAgain = () => {
    void lead.refetch();
    if (form.data === undefined) void form.refetch();
  };
  const back = leadsAddress(search);
  if (data && data.formId !== formId) return <Redirect to={leadAddress(data, search)} replace />;
  return (
    <Page
      title={content ? leadTitle(content.contact) : 'Lead'}
      description={
        data && (
          <>
            Received <Moment at={data.receivedAt} />
          </>
        )
      }
      above={[
        { text: 'Leads', href: back },
        { text: form.data?.name ?? 'Form', href: leadsPath({ formId }) },
      ]}
      actions={
        data && (
          <SpaceBetween direction="horizontal" size="xs">
            <NeighbourButtons here={{ formId, submissionId }} />
            <ReviewLead lead={data} />
            <HandleButton lead={data} />
            <EraseLead submissionId={submissionId} back={back} />
          </SpaceBetween>
        )
      }
    >
      <QueryResult of={{ data, error, isPending, refetch: readAgain }} what="the lead">
        {(read) => {
          const shown = content ?? leadContent(fieldsTextOf(read), fields);
          return (
            <SpaceBetween size="l">
              {read.test && (
                <Alert type="info">
                  This is a test lead, so it has no score. You can delete it when you’re done.
                </Alert>
              )}
              <HandledSummary lead={read} />
              <div className={read.test ? undefined : 'lead-top'}>
                <ContactPanel contact={shown.contact} />
                {!read.test && <ScorePanel lead={read} />}
              </div>
              <LeadTabs
                lead={read}
                content={shown}
                form={form.data ?? { formId, fields: [], archivedAt: undefined }}
              />
            </SpaceBetween>
          );
        }}
      </QueryResult>
    </Page>
  );
}

const NO_FIELDS: readonly FormField[] = [];
