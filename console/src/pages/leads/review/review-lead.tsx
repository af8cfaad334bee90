import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import type { Lead } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import { OwnerButton } from '#console/shared/role.tsx';
import { Link } from '#console/shell/link.tsx';
import { reviewStep } from './review-steps.ts';
import { SENDERS_PATH, verdictName } from './review-words.ts';
import { useSteps } from './use-steps.ts';

const LABELS = { good: 'Not spam', spam: 'Spam' } as const;

/** One click per verdict. The button of the verdict that the lead has takes it back, and keeps the focus. */
export function ReviewLead({ lead }: { readonly lead: Pick<Lead, 'submissionId' | 'review' | 'clean'> }) {
  const { run, busy } = useSteps();
  const [pressed, setPressed] = useState<keyof typeof LABELS>();
  const { submissionId, clean } = lead;
  const current = lead.review?.verdict;
  // The list names nobody.
  const listed = { submissionId, clean, review: lead.review && { ...lead.review, by: 'member' as const } };
  const press = (verdict: keyof typeof LABELS) => {
    setPressed(verdict);
    run(reviewStep([listed], verdict === current ? null : verdict));
  };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {(['good', 'spam'] as const).map((verdict) => (
        <OwnerButton
          key={verdict}
          loading={busy && verdict === pressed}
          disabled={busy && verdict !== pressed}
          onClick={() => press(verdict)}
        >
          {verdict === current ? `Undo “${LABELS[verdict]}”` : LABELS[verdict]}
        </OwnerButton>
      ))}
    </SpaceBetween>
  );
}

/** The owner's verdict, if there is one, beside what scoring said. */
export function ReviewSummary({ lead }: { readonly lead: Pick<Lead, 'review' | 'scoredClean'> }) {
  if (!lead.review) return 'Not reviewed';
  const { verdict, at } = lead.review;
  const isConfirmed = lead.scoredClean === (verdict === 'good');
  return (
    <>
      <StatusIndicator type={verdict === 'good' ? 'success' : 'error'}>
        Marked as {verdictName(verdict)}
      </StatusIndicator>
      <Box variant="small" display="block">
        <Moment at={at} />
        {isConfirmed ? '' : `. The score says ${lead.scoredClean ? 'clean' : 'not clean'}.`}
      </Box>
    </>
  );
}

export function SenderSummary({ sender }: Pick<Lead, 'sender'>) {
  return (
    <>
      {sender === undefined
        ? 'Not on your list when received'
        : `${sender === 'trusted' ? 'Trusted' : 'Blocked'} when received`}
      <Box display="block">
        <Link href={SENDERS_PATH}>Trusted and blocked senders</Link>
      </Box>
    </>
  );
}
