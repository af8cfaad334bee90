import { OPAQUE_REJECTION } from '../contract.ts';
import type { OriginalResponse } from '../core/key-record.ts';
import type { Answer, Submission } from './submission.ts';

const HEADERS = { 'Content-Type': OPAQUE_REJECTION.contentType };

export function rejected(): Answer {
  return { statusCode: OPAQUE_REJECTION.statusCode, headers: { ...HEADERS }, body: OPAQUE_REJECTION.body };
}

export function acceptance(submissionId: string): OriginalResponse {
  return { statusCode: 202, body: JSON.stringify({ submission_id: submissionId }) };
}

export function accepted(submission: Submission, submissionId: string): Answer {
  submission.outcome = { kind: 'accepted', submissionId };
  return { ...acceptance(submissionId), headers: { ...HEADERS } };
}

/** Status and body of the original, byte for byte. */
export function replayed(submission: Submission, original: OriginalResponse): Answer {
  const { submission_id: submissionId } = JSON.parse(original.body) as { submission_id: string };
  submission.outcome = { kind: 'replayed', submissionId };
  return { statusCode: original.statusCode, headers: { ...HEADERS }, body: original.body };
}
