import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { WhenRead } from '../../shared/states.tsx';
import { useFollow } from '../../shell/link.tsx';
import { useLead } from '../leads/detail/use-lead.ts';
import { Clean, EnrichmentState, Score } from '../leads/lead-marks.tsx';
import { ScoreReasons } from './score-reasons.tsx';

interface AcceptedProps {
  readonly formId: string;
  readonly leadId: string;
  readonly milliseconds: number;
}

export function Accepted({ formId, leadId, milliseconds }: AcceptedProps) {
  const lead = useLead(leadId);
  const follow = useFollow();
  const href = `/forms/${encodeURIComponent(formId)}/leads/${encodeURIComponent(leadId)}`;
  return (
    <Alert
      type="success"
      header="Accepted: it is a lead now"
      action={
        <Button href={href} onFollow={follow}>
          Open the lead
        </Button>
      }
    >
      <SpaceBetween size="s">
        <div>
          The service answered with 202 after {milliseconds.toLocaleString('en')} ms. Address, secret and form
          work together.
        </div>
        <WhenRead of={lead} what="the lead">
          {({ score, grade, clean, enrichment, signals }) => (
            <SpaceBetween size="s">
              <KeyValuePairs
                columns={3}
                items={[
                  { label: 'Score', value: <Score score={score} grade={grade} /> },
                  { label: 'Clean', value: <Clean clean={clean} /> },
                  { label: 'Enrichment', value: <EnrichmentState state={enrichment.state} /> },
                ]}
              />
              <ScoreReasons signals={signals} />
            </SpaceBetween>
          )}
        </WhenRead>
      </SpaceBetween>
    </Alert>
  );
}
