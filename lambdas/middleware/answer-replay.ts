import type { OriginalResponse } from '../core/key-record.ts';
import { KEY_REUSED } from '../core/reasons.ts';
import type { Rejections } from '../stores/rejections.ts';
import { describeSubmission, sha256OfReadable } from './answer-rejections.ts';
import { replayed } from './answers.ts';
import type { Answer, Submission } from './submission.ts';

/** Gives the original answer, as specified. If the body is another one, the owner gets to know: a lead may be lost. */
export function answerReplay(rejections: Rejections) {
  return async function replay(submission: Submission, original: OriginalResponse): Promise<Answer> {
    const answer = replayed(submission, original);
    const { outcome, attribution } = submission;
    // Records of an earlier version have no hash.
    const sameBody = !original.bodySha256 || original.bodySha256 === sha256OfReadable(submission);
    if (sameBody || outcome?.kind !== 'replayed') return answer;
    const diagnosticsDropped = await rejections.record(
      describeSubmission(submission, {
        reason: KEY_REUSED,
        detail: { originalSubmissionId: outcome.submissionId },
      }),
      { workspaceIds: attribution.workspaceIds, authenticated: true },
      submission.signal,
    );
    submission.outcome = { ...outcome, diagnosticsDropped };
    return answer;
  };
}
