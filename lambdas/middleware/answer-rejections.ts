import { createHash } from 'node:crypto';
import { LIMITS } from '../core/limits.ts';
import { Rejection } from '../core/rejection.ts';
import type { RejectedSubmission } from '../core/rejection-record.ts';
import type { Rejections } from '../stores/rejections.ts';
import type { Telemetry } from '../telemetry/submission-telemetry.ts';
import { rejected } from './answers.ts';
import type { Step, Submission } from './submission.ts';

interface Options {
  readonly rejections: Rejections;
  readonly telemetry: Telemetry;
}

/** Turns every rejection, and every defect, into the same answer; the owner gets to read the reason. */
export function answerRejections({ rejections, telemetry }: Options): Step {
  return {
    onError: async function answerRejectionsOnError(request) {
      request.response = rejected();
      const submission = request.event;
      const rejection = request.error instanceof Rejection ? request.error : new Rejection('internal_error');
      if (rejection !== request.error) telemetry.defect(request.error, submission);
      const owner = {
        workspaceIds: submission.attribution.workspaceIds,
        authenticated: submission.authenticated !== undefined,
      };
      const diagnosticsDropped = await rejections.record(
        describeSubmission(submission, rejection),
        owner,
        submission.signal,
      );
      submission.outcome = { kind: 'rejected', reason: rejection.reason, diagnosticsDropped };
    },
  };
}

export function describeSubmission(
  submission: Submission,
  { reason, detail }: Pick<RejectedSubmission, 'reason' | 'detail'>,
): RejectedSubmission {
  const { body, parsed, source } = submission;
  return {
    atMilliseconds: submission.receivedAtMilliseconds,
    requestId: submission.requestId,
    extendedRequestId: submission.extendedRequestId,
    surface: submission.surface,
    formId: submission.attribution.formId,
    reason,
    detail,
    sourceAddress: source.address,
    userAgent: source.userAgent,
    bodyBytes: body.byteLength,
    bodySha256: sha256OfReadable(submission),
    keyNames: parsed && Object.keys(parsed.fields),
  };
}

/** An oversized body is never decoded, not even to name it. */
export function sha256OfReadable({ body }: Submission): string | undefined {
  const bytes = body.byteLength <= LIMITS.bodyBytes ? body.bytes() : undefined;
  return bytes && createHash('sha256').update(bytes).digest('hex');
}
