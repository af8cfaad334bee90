import { createHash } from 'node:crypto';
import { KEY_REUSED, Rejection } from '../rejections/reasons.ts';
import type { RejectedSubmission } from '../rejections/rejection-record.ts';
import type { Rejections } from '../rejections/rejections-store.ts';
import { LIMITS } from './limits.ts';
import type { Telemetry } from './report-outcome.ts';
import type { OriginalResponse } from './submission.ts';
import { type Answer, rejected, replayed, type Step, type Submission } from './submission.ts';

interface Options {
  readonly rejections: Rejections;
  readonly telemetry: Telemetry;
}

/** Turns every rejection and every defect into the same answer, and records the reason for the owner. */
export function answerRejections({ rejections, telemetry }: Options): Step {
  return {
    onError: async function answerRejectionsOnError(request) {
      request.response = rejected();
      const submission = request.event;
      const rejection = request.error instanceof Rejection ? request.error : new Rejection('internal_error');
      if (rejection !== request.error) telemetry.defect(request.error, submission);
      const owner = {
        workspaceIds: submission.attribution.workspaceIds,
        authenticated: submission.credential !== undefined,
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
    bodySha256: hashBody(submission),
    keyNames: parsed && Object.keys(parsed.fields),
  };
}

/** An oversized body is never decoded, not even for its hash. */
export function hashBody({ body }: Submission): string | undefined {
  const bytes = body.byteLength <= LIMITS.bodyBytes ? body.bytes() : undefined;
  return bytes && createHash('sha256').update(bytes).digest('hex');
}

/** Returns the original answer. If the body differs, this is recorded for the owner: a lead may be lost. */
export function answerReplay(rejections: Rejections) {
  return async function replay(submission: Submission, original: OriginalResponse): Promise<Answer> {
    const answer = replayed(submission, original);
    const { outcome, attribution } = submission;
    // Records of an earlier version have no hash.
    const sameBody = !original.bodySha256 || original.bodySha256 === hashBody(submission);
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
