import { createHash } from 'node:crypto';
import { LIMITS } from '../core/limits.ts';
import { Rejection } from '../core/rejection.ts';
import type { Diagnostics } from '../stores/diagnostics.ts';
import type { Telemetry } from '../telemetry/submission-telemetry.ts';
import { rejected } from './answers.ts';
import type { Hesitate } from './hesitation.ts';
import type { Step, Submission } from './submission.ts';

const MOST_KEY_NAMES = 50;
const LONGEST_KEY_NAME = 100;
const LONGEST_USER_AGENT = 300;

interface Options {
  readonly diagnostics: Diagnostics;
  readonly telemetry: Telemetry;
  readonly hesitate: Hesitate;
}

/** Turns every rejection, and every defect, into the same answer; the owner gets to read the reason. */
export function answerRejections({ diagnostics, telemetry, hesitate }: Options): Step {
  return {
    onError: async function answerRejectionsOnError(request) {
      request.response = rejected();
      const submission = request.event;
      const rejection = request.error instanceof Rejection ? request.error : new Rejection('internal_error');
      if (rejection !== request.error) telemetry.defect(request.error, submission);
      const diagnosticsDropped = await diagnostics.record(
        toRecord(submission, rejection),
        submission.attribution.workspaceIds,
      );
      submission.outcome = { kind: 'rejected', reason: rejection.reason, diagnosticsDropped };
      if (!submission.authenticated) await hesitate();
    },
  };
}

function toRecord(submission: Submission, { reason, detail }: Rejection) {
  const { body, parsed, source } = submission;
  return {
    atMilliseconds: submission.receivedAtMilliseconds,
    requestId: submission.requestId,
    surface: submission.surface,
    formId: submission.attribution.formId,
    reason,
    detail,
    sourceAddress: source.address,
    userAgent: source.userAgent?.slice(0, LONGEST_USER_AGENT),
    bodyBytes: body.byteLength,
    bodySha256: sha256OfReadable(submission),
    keyNames: parsed
      ? Object.keys(parsed.fields)
          .slice(0, MOST_KEY_NAMES)
          .map((name) => name.slice(0, LONGEST_KEY_NAME))
      : undefined,
  };
}

/** An oversized body is never decoded, not even to name it. */
function sha256OfReadable({ body }: Submission): string | undefined {
  const bytes = body.byteLength <= LIMITS.bodyBytes ? body.bytes() : undefined;
  return bytes && createHash('sha256').update(bytes).digest('hex');
}
