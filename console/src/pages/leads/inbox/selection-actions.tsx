import SpaceBetween from '@cloudscape-design/components/space-between';
import { OwnerButton } from '#console/shared/role.tsx';
import { ReviewSelected } from '../review/review-selected.tsx';

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
