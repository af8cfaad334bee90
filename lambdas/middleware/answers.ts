import { OPAQUE_REJECTION } from '../contract.ts';
import type { OriginalResponse } from '../core/key-record.ts';
import type { Answer, Submission } from './submission.ts';

/** Every answer has the same headers, so that only status and body tell one from another. */
function answer({ statusCode, body }: OriginalResponse): Answer {
  return { statusCode, headers: { 'Content-Type': OPAQUE_REJECTION.contentType }, body };
}

export function rejected(): Answer {
  return answer(OPAQUE_REJECTION);
}

export function acceptance(submissionId: string): OriginalResponse {
  return { statusCode: 202, body: JSON.stringify({ submission_id: submissionId }) };
}

export function accepted(submission: Submission, submissionId: string): Answer {
  submission.outcome = { kind: 'accepted', submissionId };
  return answer(acceptance(submissionId));
}

/** Status and body of the original, byte for byte. */
export function replayed(submission: Submission, original: OriginalResponse): Answer {
  const { submission_id: submissionId } = JSON.parse(original.body) as { submission_id: string };
  submission.outcome = { kind: 'replayed', submissionId };
  return answer(original);
}
