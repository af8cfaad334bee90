import Box from '@cloudscape-design/components/box';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Lead } from '#console/api/types.ts';
import { Copyable } from '#console/shared/copyable.tsx';
import { surfaceName } from '#console/shared/display-text.ts';
import { Moment } from '#console/shared/moment.tsx';
import { Term } from '#console/shared/term.tsx';
import { Link } from '#console/shell/link.tsx';
import { nextSteps, type SteppedForm } from '../lead-words.ts';
import { ReviewSummary, SenderSummary } from '../review/review-lead.tsx';
import type { LeadContent } from './contact.ts';
import { FieldsPanel } from './fields-panel.tsx';

interface DetailsTabProps {
  readonly lead: Lead;
  readonly content: LeadContent;
  readonly form: SteppedForm;
}

/** The fields that are not shown above, how the lead was received, and what to do next. */
export default function DetailsTab({ lead, content: { others, nested }, form }: DetailsTabProps) {
  return (
    <SpaceBetween size="l">
      {(others.length > 0 || nested.length > 0) && <FieldsPanel fields={others} nested={nested} />}
      <KeyValuePairs
        columns={3}
        items={[
          ...(lead.test
            ? []
            : [
                { label: 'Review', value: <ReviewSummary lead={lead} /> },
                { label: 'Sender', value: <SenderSummary sender={lead.sender} /> },
              ]),
          { label: 'Received via', info: <Term name="received via" />, value: surfaceName(lead.surface) },
          { label: 'Submission ID', value: <Copyable text={lead.submissionId} what="submission ID" /> },
          ...(lead.keptUntil === undefined
            ? []
            : [{ label: 'Deleted on', value: <Moment at={lead.keptUntil} /> }]),
        ]}
      />
      <NextSteps lead={lead} form={form} />
    </SpaceBetween>
  );
}

function NextSteps({ lead, form }: Pick<DetailsTabProps, 'lead' | 'form'>) {
  const steps = nextSteps(lead, form);
  if (steps.length === 0) return null;
  return (
    <div>
      <Box variant="h3">Next steps</Box>
      {steps.map(({ text, link, href }) => (
        <div key={link}>
          {text} <Link href={href}>{link}</Link>
        </div>
      ))}
    </div>
  );
}
