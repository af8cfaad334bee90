import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import type { Lead } from '../../api/types.ts';
import { WhenRead } from '../../shared/states.tsx';
import { useFollow } from '../../shell/link.tsx';
import { Clean, EnrichmentState, Score } from '../leads/lead-marks.tsx';
import { keepsFromClean, topSignals, weightText } from '../leads/signals.ts';
import { useLead } from '../leads/use-leads.ts';
import { Rejected } from './rejected.tsx';
import type { Test } from './send-test.ts';

interface TestResultProps {
  readonly formId: string;
  readonly result: Test;
}

export function TestResult({ formId, result }: TestResultProps) {
  return (
    <SpaceBetween size="m">
      <LiveRegion>
        <Outcome formId={formId} result={result} />
      </LiveRegion>
      <ExpandableSection headerText="What was sent">
        <Sent sent={result.sent} />
      </ExpandableSection>
    </SpaceBetween>
  );
}

function Outcome({ formId, result }: TestResultProps) {
  const { outcome, submissionId, requestId, milliseconds, status } = result;
  if (outcome === 'accepted' && submissionId !== undefined)
    return <Accepted formId={formId} leadId={submissionId} milliseconds={milliseconds} />;
  if (outcome === 'rejected') return <Rejected formId={formId} requestId={requestId} />;
  return <Unreachable url={result.sent.url} status={status} milliseconds={milliseconds} />;
}

interface AcceptedProps {
  readonly formId: string;
  readonly leadId: string;
  readonly milliseconds: number;
}

function Accepted({ formId, leadId, milliseconds }: AcceptedProps) {
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

const MOST_SHOWN = 4;

/** Why the score is what it is, in a few lines; the page of the lead tells all of it. */
function ScoreReasons({ signals }: { readonly signals: Lead['signals'] }) {
  const shown = topSignals(signals, MOST_SHOWN);
  if (shown.length === 0) return null;
  const more = signals.length - shown.length;
  return (
    <div>
      <Box variant="awsui-key-label">What the score is made of</Box>
      <ul>
        {shown.map(({ name, weight, explanation }) => (
          <li key={name}>
            {weight === 0 ? '0' : weightText(weight)}: {explanation}
            {keepsFromClean(name) && ' (keeps it from being clean)'}
          </li>
        ))}
        {more > 0 && <li>{more} more, on the page of the lead</li>}
      </ul>
    </div>
  );
}

interface UnreachableProps {
  readonly url: string;
  readonly status: number | undefined;
  readonly milliseconds: number;
}

function Unreachable({ url, status, milliseconds }: UnreachableProps) {
  return (
    <Alert type="error" header="The form's address gave no usable answer">
      {status === undefined ? (
        <div>
          Nothing came back within {Math.max(1, Math.round(milliseconds / 1000))} s from{' '}
          <span className="value">{url}</span>.
        </div>
      ) : (
        <div>
          <span className="value">{url}</span> answered with {status}, which the service itself never does to
          a submission: something in between did.
        </div>
      )}
      <ul>
        <li>Send it again: the first request after a pause takes longer.</li>
        <li>Does a domain of your own, a proxy or a firewall stand before the service? Look there.</li>
        <li>
          If it goes on, tell whoever runs this service. Whether the lead has arrived all the same you see in
          the form’s leads.
        </li>
      </ul>
    </Alert>
  );
}

function Sent({ sent: { url, timestamp, headerNames, bodyText } }: { readonly sent: Test['sent'] }) {
  return (
    <SpaceBetween size="s">
      <KeyValuePairs
        columns={2}
        items={[
          { label: 'Address', value: <span className="value">POST {url}</span> },
          { label: 'X-SVC-Timestamp', value: timestamp },
          { label: 'Headers', value: <span className="value">{headerNames.join(', ')}</span> },
        ]}
      />
      <Box variant="awsui-key-label">Body, as it was signed and sent</Box>
      <div className="code-input">
        <Textarea value={bodyText} readOnly rows={4} spellcheck={false} ariaLabel="Body as sent" />
      </div>
    </SpaceBetween>
  );
}
