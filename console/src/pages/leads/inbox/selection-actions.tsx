import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Verdict } from '#console/api/types.ts';
import { ONLY_OWNERS, OwnerButton, useIsViewer } from '#console/shared/role.tsx';
import { useReview } from '../review/use-review.ts';

interface SelectionActionsProps {
  readonly submissionIds: readonly string[];
  readonly onReviewed: () => void;
  readonly onErase: () => void;
}

/** What can be done with several leads at once. */
export function SelectionActions({ submissionIds, onReviewed, onErase }: SelectionActionsProps) {
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <ReviewSelected submissionIds={submissionIds} onDone={onReviewed} />
      <OwnerButton disabled={submissionIds.length === 0} onClick={onErase}>
        Delete
      </OwnerButton>
    </SpaceBetween>
  );
}

interface ReviewSelectedProps {
  /** At most 50. */
  readonly submissionIds: readonly string[];
  readonly onDone?: () => void;
}

const VERDICTS: Readonly<Record<string, Verdict>> = { good: 'good', spam: 'spam', undo: null };

/** The verdict on the leads that are selected in a table. */
function ReviewSelected({ submissionIds, onDone }: ReviewSelectedProps) {
  const { review, busy } = useReview(onDone);
  const isViewer = useIsViewer();
  return (
    <ButtonDropdown
      disabled={submissionIds.length === 0 || isViewer}
      {...(isViewer && { disabledReason: ONLY_OWNERS })}
      loading={busy}
      loadingText="Reviewing"
      items={[
        { id: 'good', text: 'Not spam', secondaryText: 'Clean from now on, and the senders are trusted' },
        { id: 'spam', text: 'Spam', secondaryText: 'Not clean from now on, and the senders are blocked' },
        { id: 'undo', text: 'Undo review', secondaryText: 'Back to what the score says' },
      ]}
      onItemClick={({ detail }) => review({ submissionIds, verdict: VERDICTS[detail.id] ?? null })}
    >
      Review
    </ButtonDropdown>
  );
}
