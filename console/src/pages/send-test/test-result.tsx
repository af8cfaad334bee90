import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useQuery } from '@tanstack/react-query';
import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import { ApiProblem, errorMessage } from '../../api/problem.ts';
import { useClient } from '../../api/queries.ts';
import type { Lead, RejectionEvent } from '../../api/types.ts';
import { Loading, QueryResult } from '../../shared/states.tsx';
import { useFollow } from '../../shell/link.tsx';
import { TestBadge } from '../leads/lead-marks.tsx';
import { preventsClean, topSignals, weightText } from '../leads/lead-words.ts';
import { useLead } from '../leads/use-lead.ts';
import type { Test } from './send-test.ts';

interface TestResultProps {
  readonly formId: string;
  readonly result: Test;
  /** A sample is not scored. */
  readonly isSample: boolean;
}

export function TestResult({ formId, result, isSample }: TestResultProps) {
  return (
    <SpaceBetween size="m">
      <LiveRegion>
        <Outcome formId={formId} result={result} isSample={isSample} />
      </LiveRegion>
      <ExpandableSection headerText="Request details">
        <Sent sent={result.sent} />
      </ExpandableSection>
    </SpaceBetween>
  );
}

function Outcome({ formId, result, isSample }: TestResultProps) {
  const { outcome, submissionId, requestId, milliseconds, status } = result;
  if (outcome === 'accepted' && submissionId !== undefined)
    return <Accepted {...{ formId, submissionId, milliseconds, isSample }} />;
  if (outcome === 'rejected') return <Rejected formId={formId} requestId={requestId} />;
  return <Unreachable url={result.sent.url} status={status} milliseconds={milliseconds} />;
}

interface AcceptedProps {
  readonly formId: string;
  readonly submissionId: string;
  readonly milliseconds: number;
  readonly isSample: boolean;
}

function Accepted({ formId, submissionId, milliseconds, isSample }: AcceptedProps) {
  const lead = useLead(submissionId);
  const follow = useFollow();
  const href = `/forms/${encodeURIComponent(formId)}/leads/${encodeURIComponent(submissionId)}`;
  return (
    <Alert
      type="success"
      header="Test lead accepted"
      action={
        <Button href={href} onFollow={follow}>
          View lead
        </Button>
      }
    >
      <SpaceBetween size="s">
        <div>
          The service returned 202 in {milliseconds.toLocaleString('en')} ms. The webhook URL and secret work.
        </div>
        <QueryResult of={lead} what="the lead">
          {({ score, signals }) => (
            <SpaceBetween size="s">
              <div>
                Among your leads it is marked as <TestBadge /> and has no score, because its person is
                fictional.
              </div>
              {!isSample && <ScoreReasons score={score} signals={signals} />}
            </SpaceBetween>
          )}
        </QueryResult>
      </SpaceBetween>
    </Alert>
  );
}

const MAX_SHOWN = 4;

/** How a real lead with this body would score, with the main reasons. */
function ScoreReasons({ score, signals }: Pick<Lead, 'score' | 'signals'>) {
  const shown = topSignals(signals, MAX_SHOWN);
  if (shown.length === 0) return null;
  const more = signals.length - shown.length;
  return (
    <div>
      <Box variant="awsui-key-label">{`A real lead with this body would score ${score} of 100`}</Box>
      <ul>
        {shown.map(({ name, weight, explanation }) => (
          <li key={name}>
            {weight === 0 ? '0' : weightText(weight)}: {explanation}
            {preventsClean(name) && ' (makes the lead not clean)'}
          </li>
        ))}
        {more > 0 && <li>{more} more on the lead’s page</li>}
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
    <Alert type="error" header="No valid response from the webhook URL">
      {status === undefined ? (
        <div>
          No response from <span className="value">{url}</span> within{' '}
          {Math.max(1, Math.round(milliseconds / 1000))} s.
        </div>
      ) : (
        <div>
          <span className="value">{url}</span> returned {status}. The service never returns this, so it came
          from something in between.
        </div>
      )}
      <ul>
        <li>Try again. The first request after a pause can take longer.</li>
        <li>If you use a custom domain, proxy or firewall, check its configuration.</li>
        <li>
          If it keeps failing, contact the service operator. Check the form’s leads: the test may have arrived
          anyway.
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
          { label: 'URL', value: <span className="value">POST {url}</span> },
          { label: 'X-SVC-Timestamp', value: timestamp },
          { label: 'Headers', value: <span className="value">{headerNames.join(', ')}</span> },
        ]}
      />
      <Box variant="awsui-key-label">Body as signed and sent</Box>
      <div className="code-input">
        <Textarea value={bodyText} readOnly rows={4} spellcheck={false} ariaLabel="Body as sent" />
      </div>
    </SpaceBetween>
  );
}

interface RejectedProps {
  readonly formId: string;
  readonly requestId: string | undefined;
}

export function Rejected({ formId, requestId }: RejectedProps) {
  const event = useRejection(requestId);
  const follow = useFollow();
  const form = `/forms/${encodeURIComponent(formId)}`;
  return (
    <Alert
      type="error"
      header={event.data ? `Rejected: ${REASON_GUIDE[event.data.reason].title}` : 'Rejected'}
      action={
        <SpaceBetween direction="horizontal" size="xs">
          <Button href={form} onFollow={follow}>
            View form
          </Button>
          {requestId !== undefined && (
            <Button href={`/diagnostics?request=${encodeURIComponent(requestId)}`} onFollow={follow}>
              View in Diagnostics
            </Button>
          )}
        </SpaceBetween>
      }
    >
      {event.isLoading ? <Loading what="the reason" /> : <Reason event={event.data} error={event.error} />}
    </Alert>
  );
}

function Reason({ event, error }: { readonly event: RejectionEvent | undefined; readonly error: unknown }) {
  if (event) {
    const { meaning, remedy } = REASON_GUIDE[event.reason];
    return (
      <>
        <div>{meaning}</div>
        <div>{remedy}</div>
      </>
    );
  }
  const isNotKept = error === null || (error instanceof ApiProblem && error.status === 404);
  return isNotKept ? (
    <>No details were recorded for this request. The service may have been overloaded. Send the test again.</>
  ) : (
    <>Couldn’t load the reason. {errorMessage(error)}</>
  );
}

/** The diagnostics index is eventually consistent. */
const MAX_TRIES = 6;
const PAUSE_MS = 800;

function useRejection(requestId: string | undefined) {
  const client = useClient();
  const path = `/settings/diagnostics/requests/${encodeURIComponent(requestId ?? '')}`;
  return useQuery({
    queryKey: [path, {}],
    queryFn: ({ signal }) => client.get<RejectionEvent>(path, {}, signal),
    enabled: requestId !== undefined,
    retry: (failures, error) =>
      failures < MAX_TRIES && error instanceof ApiProblem && (error.status === 404 || error.status === 0),
    retryDelay: PAUSE_MS,
  });
}
