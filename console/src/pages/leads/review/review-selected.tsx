import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import type { Verdict } from '#console/api/types.ts';
import { ONLY_OWNERS, useIsViewer } from '#console/shared/role.tsx';
import { useReview } from './use-review.ts';

interface ReviewSelectedProps {
  /** At most 50. */
  readonly submissionIds: readonly string[];
  readonly onDone?: () => void;
}

const VERDICTS: Readonly<Record<string, Verdict>> = { good: 'good', spam: 'spam', undo: null };

/** The verdict on the leads that are selected in a table. */
export function ReviewSelected({ submissionIds, onDone }: ReviewSelectedProps) {
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
