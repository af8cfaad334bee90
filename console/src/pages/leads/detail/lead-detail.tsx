import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { lazy, Suspense } from 'react';
import type { Form, Lead } from '#console/api/types.ts';
import { Copyable } from '#console/shared/copyable.tsx';
import { Moment } from '#console/shared/moment.tsx';
import { Loading } from '#console/shared/states.tsx';
import { surfaceName } from '#console/shared/surface-names.ts';
import { Link } from '#console/shell/link.tsx';
import { Clean, EnrichmentState, Score } from '../lead-marks.tsx';
import { EnrichmentPanel } from './enrichment-panel.tsx';
import { FieldsPanel } from './fields-panel.tsx';
import { nextSteps, type SteppedForm } from './next-steps.ts';
import { ScorePanel } from './score-panel.tsx';

// Highlighting is loaded separately.
const BodyPanel = lazy(() => import('./body-panel.tsx'));
const ForwardingPanel = lazy(() => import('#console/pages/destinations/messages/forwarding-panel.tsx'));

interface LeadDetailProps {
  readonly lead: Lead;
  readonly form: Pick<Form, 'formId' | 'fields' | 'archivedAt'>;
}

export function LeadDetail({ lead, form }: LeadDetailProps) {
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
          { label: 'Score', value: <Score score={lead.score} grade={lead.grade} /> },
          { label: 'Clean', value: <Clean clean={lead.clean} /> },
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
