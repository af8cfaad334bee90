import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { lazy, Suspense } from 'react';
import type { Form, Lead } from '#console/api/types.ts';
import { Loading } from '#console/shared/states.tsx';
import { EnrichmentPanel } from './enrichment-panel.tsx';
import { FieldsPanel } from './fields-panel.tsx';
import { LeadSummary } from './lead-summary.tsx';
import { NextSteps } from './next-steps-panel.tsx';
import { ScorePanel } from './score-panel.tsx';

// Highlighting is a chunk of its own: all else is there before it.
const BodyPanel = lazy(() => import('./body-panel.tsx'));

interface LeadDetailProps {
  readonly lead: Lead;
  readonly form: Pick<Form, 'formId' | 'fields' | 'archivedAt'>;
}

export function LeadDetail({ lead, form }: LeadDetailProps) {
  return (
    <SpaceBetween size="l">
      {lead.test && (
        <Alert type="info">
          Marked as a test, as those are that this console sends. Delete it when you have seen enough.
        </Alert>
      )}
      <LeadSummary lead={lead} />
      <FieldsPanel body={lead.body} configured={form.fields} />
      <ScorePanel lead={lead} />
      <EnrichmentPanel enrichment={lead.enrichment} />
      <Suspense fallback={<Loading what="the body" />}>
        <BodyPanel body={lead.body} />
      </Suspense>
      <NextSteps lead={lead} form={form} />
    </SpaceBetween>
  );
}
