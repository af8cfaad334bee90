import ExpandableSection from '@cloudscape-design/components/expandable-section';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Accepted } from './accepted.tsx';
import { Rejected } from './rejected.tsx';
import { Sent } from './sent.tsx';
import { Unreachable } from './unreachable.tsx';
import type { Test } from './use-send-test.ts';

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
