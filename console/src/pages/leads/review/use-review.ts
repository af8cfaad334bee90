import { errorMessage } from '#console/api/problem.ts';
import { useChange } from '#console/api/queries.ts';
import type { Verdict } from '#console/api/types.ts';
import { useNotify } from '#console/shell/notifications.tsx';
import { reviewText } from './review-words.ts';

interface ReviewInput {
  /** At most 50, which is a page. */
  readonly submissionIds: readonly string[];
  readonly verdict: Verdict;
}

/** Gives leads a verdict, and says what happened above the page. */
export function useReview(onDone?: () => void) {
  const notify = useNotify();
  const change = useChange<'reviewLeads'>((body) => ({
    method: 'POST',
    path: '/settings/leads/review',
    body,
  }));
  const review = (input: ReviewInput) =>
    change.mutate(input, {
      onSuccess: (outcome) => {
        const isWhole = outcome.notFound.length === 0 && !outcome.senders.full;
        notify(isWhole ? 'success' : 'info', reviewText(input.verdict, outcome));
        onDone?.();
      },
      onError: (error) => notify('error', `Couldn’t review. ${errorMessage(error)}`),
    });
  return { review, busy: change.isPending };
}
