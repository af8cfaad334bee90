import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
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
      <Button disabled={submissionIds.length === 0} onClick={onErase}>
        Delete
      </Button>
    </SpaceBetween>
  );
}
