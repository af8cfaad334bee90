import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { lazy, Suspense, useMemo } from 'react';
import { Redirect, useSearch } from 'wouter';
import { fieldsTextOf } from '#model/lead-fields.ts';
import { useForm } from '../../api/queries.ts';
import type { FormField, Lead } from '../../api/types.ts';
import { Copyable } from '../../shared/copyable.tsx';
import { surfaceName } from '../../shared/display-text.ts';
import { leadsPath } from '../../shared/forms.ts';
import { Moment } from '../../shared/moment.tsx';
import { Loading, QueryResult } from '../../shared/states.tsx';
import { Link } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { type LeadContent, leadContent, leadTitle } from './detail/contact.ts';
import { ContactPanel, EnrichmentPanel, FieldsPanel } from './detail/fields-panel.tsx';
import { NeighbourButtons } from './detail/neighbour-buttons.tsx';
import { ScorePanel } from './detail/score-panel.tsx';
import { TimelinePanel } from './detail/timeline-panel.tsx';
import { EraseLead } from './erase-lead.tsx';
import { Clean, EnrichmentState, Score } from './lead-marks.tsx';
import { nextSteps, type SteppedForm } from './lead-words.ts';
import { leadAddress, leadsAddress } from './leads-navigation.ts';
import { ReviewLead, ReviewSummary, SenderSummary } from './review/review-lead.tsx';
import { useLead } from './use-lead.ts';

interface LeadPageProps {
  readonly formId: string;
  readonly submissionId: string;
}

export default function LeadPage({ formId, submissionId }: LeadPageProps) {
  const lead = useLead(submissionId);
  const form = useForm(formId);
  const search = useSearch();
  const { data, error, isPending } = lead;
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
            <EraseLead submissionId={submissionId} back={back} />
          </SpaceBetween>
        )
      }
    >
      <QueryResult of={{ data, error, isPending, refetch: readAgain }} what="the lead">
        {(read) => (
          <LeadDetail
            lead={read}
            content={content ?? leadContent(fieldsTextOf(read), fields)}
            form={form.data ?? { formId, fields: [], archivedAt: undefined }}
          />
        )}
      </QueryResult>
    </Page>
  );
}

const NO_FIELDS: readonly FormField[] = [];

// Highlighting is loaded separately.
const BodyPanel = lazy(() => import('./detail/body-panel.tsx'));
const PersonPanel = lazy(() => import('./person/person-panel.tsx'));
const ForwardingPanel = lazy(() => import('#console/pages/destinations/messages/forwarding-panel.tsx'));

interface LeadDetailProps {
  readonly lead: Lead;
  readonly content: LeadContent;
  readonly form: SteppedForm;
}

function LeadDetail({ lead, content: { contact, others, nested }, form }: LeadDetailProps) {
  const hasOthers = others.length > 0 || nested.length > 0;
  return (
    <SpaceBetween size="l">
      {lead.test && <Alert type="info">This is a test lead. You can delete it when you’re done.</Alert>}
      {contact.length > 0 && <ContactPanel contact={contact} />}
      {(hasOthers || contact.length === 0) && (
        <FieldsPanel title={contact.length > 0 ? 'Other fields' : 'Fields'} fields={others} nested={nested} />
      )}
      <LeadSummary lead={lead} />
      <TimelinePanel lead={lead} />
      <ScorePanel lead={lead} />
      <EnrichmentPanel enrichment={lead.enrichment} />
      <Suspense fallback={<Loading what="the other leads" />}>
        <PersonPanel lead={lead} />
      </Suspense>
      <Suspense fallback={<Loading what="the messages" />}>
        <ForwardingPanel submissionId={lead.submissionId} />
      </Suspense>
      <Suspense fallback={<Loading what="the body" />}>
        <BodyPanel body={lead.body} isMapped={lead.fields !== undefined} />
      </Suspense>
      <NextSteps lead={lead} form={form} />
    </SpaceBetween>
  );
}

function LeadSummary({ lead }: { readonly lead: Lead }) {
  return (
    <Container header={<Header>Summary</Header>}>
      <KeyValuePairs
        columns={3}
        items={[
          { label: 'Score', value: <Score {...lead} /> },
          { label: 'Clean', value: <Clean {...lead} /> },
          ...(lead.test
            ? []
            : [
                { label: 'Review', value: <ReviewSummary lead={lead} /> },
                { label: 'Sender', value: <SenderSummary sender={lead.sender} /> },
              ]),
          { label: 'Enrichment', value: <EnrichmentState state={lead.enrichment.state} /> },
          { label: 'Received via', value: surfaceName(lead.surface) },
          { label: 'Submission ID', value: <Copyable text={lead.submissionId} what="submission ID" /> },
          ...(lead.keptUntil === undefined
            ? []
            : [{ label: 'Deleted on', value: <Moment at={lead.keptUntil} /> }]),
        ]}
      />
    </Container>
  );
}

interface NextStepsProps {
  readonly lead: Lead;
  readonly form: SteppedForm;
}

function NextSteps({ lead, form }: NextStepsProps) {
  const steps = nextSteps(lead, form);
  if (steps.length === 0) return null;
  return (
    <Container header={<Header>Next steps</Header>}>
      <SpaceBetween size="xs">
        {steps.map(({ text, link, href }) => (
          <div key={link}>
            {text} <Link href={href}>{link}</Link>
          </div>
        ))}
      </SpaceBetween>
    </Container>
  );
}
