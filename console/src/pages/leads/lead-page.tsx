import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import { lazy, Suspense } from 'react';
import { Redirect, useSearch } from 'wouter';
import { useForm, useForms } from '../../api/queries.ts';
import type { Form, Lead } from '../../api/types.ts';
import { Copyable } from '../../shared/copyable.tsx';
import { Moment, useTimeText } from '../../shared/moment.tsx';
import { Loading, QueryResult } from '../../shared/states.tsx';
import { surfaceName } from '../../shared/surface-names.ts';
import { Link } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { EnrichmentPanel, FieldsPanel } from './detail/fields-panel.tsx';
import { nextSteps, type SteppedForm } from './detail/next-steps.ts';
import { EraseLead } from './erase-lead.tsx';
import { Clean, EnrichmentState, Score } from './lead-marks.tsx';
import { leadsBreadcrumb } from './leads-navigation.ts';
import { preventsClean, sortedSignals, weightText } from './signals.ts';
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

// Highlighting is loaded separately.
const BodyPanel = lazy(() => import('./detail/body-panel.tsx'));
const ForwardingPanel = lazy(() => import('#console/pages/destinations/messages/forwarding-panel.tsx'));

interface LeadDetailProps {
  readonly lead: Lead;
  readonly form: Pick<Form, 'formId' | 'fields' | 'archivedAt'>;
}

function LeadDetail({ lead, form }: LeadDetailProps) {
  return (
    <SpaceBetween size="l">
      {lead.test && <Alert type="info">This is a test lead. You can delete it when you’re done.</Alert>}
      <LeadSummary lead={lead} />
      <FieldsPanel body={lead.body} configured={form.fields} />
      <ScorePanel lead={lead} />
      <EnrichmentPanel enrichment={lead.enrichment} />
      <Suspense fallback={<Loading what="the messages" />}>
        <ForwardingPanel submissionId={lead.submissionId} />
      </Suspense>
      <Suspense fallback={<Loading what="the body" />}>
        <BodyPanel body={lead.body} />
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
          { label: 'Received', value: <Moment at={lead.receivedAt} /> },
          { label: 'Score', value: <Score {...lead} /> },
          { label: 'Clean', value: <Clean {...lead} /> },
          { label: 'Received via', value: surfaceName(lead.surface) },
          { label: 'Enrichment', value: <EnrichmentState state={lead.enrichment.state} /> },
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

/** The score's findings, heaviest first. */
function ScorePanel({ lead }: { readonly lead: Lead }) {
  return (
    <Table
      items={sortedSignals(lead.signals)}
      trackBy="name"
      wrapLines
      header={
        <Header
          counter={`(${lead.score} of 100)`}
          description="The sum of the findings below, from 0 to 100. Only clean leads are enriched."
        >
          Score
        </Header>
      }
      ariaLabels={{ tableLabel: 'Score breakdown' }}
      empty={<Box color="inherit">No findings.</Box>}
      columnDefinitions={[
        { id: 'weight', header: 'Points', width: 110, cell: ({ weight }) => <Weight weight={weight} /> },
        {
          id: 'finding',
          header: 'Finding',
          minWidth: 220,
          isRowHeader: true,
          cell: ({ name, explanation }) => (
            <>
              {explanation}{' '}
              <Box variant="code" color="text-body-secondary">
                {name}
              </Box>
              {preventsClean(name) && (
                <div>
                  <StatusIndicator type="warning">Makes the lead not clean</StatusIndicator>
                </div>
              )}
            </>
          ),
        },
      ]}
    />
  );
}

function Weight({ weight }: { readonly weight: number }) {
  if (weight === 0) return <StatusIndicator type="info">0</StatusIndicator>;
  const [type, word] = weight > 0 ? (['success', 'raises by'] as const) : (['error', 'lowers by'] as const);
  return (
    <StatusIndicator type={type} iconAriaLabel={word}>
      {weightText(weight)}
    </StatusIndicator>
  );
}
