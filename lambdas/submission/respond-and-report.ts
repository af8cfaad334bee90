import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from '@middy/core';
import { describeError, metricsEnvelope, toStdout, type WriteLine } from '../aws/telemetry.ts';
import { METRICS } from '../contract.ts';
import { LIMITS } from '../model/limits.ts';
import { KEY_REUSED, Rejection } from '../model/reasons.ts';
import type { RejectedSubmission } from '../rejections/rejection-record.ts';
import type { Rejections } from '../rejections/rejections-store.ts';
import {
  type HttpResponse,
  type OriginalResponse,
  rejected,
  replayed,
  type Step,
  type Submission,
} from './submission.ts';

interface ResponseOptions {
  readonly rejections: Rejections;
  readonly telemetry: Telemetry;
}

/** Turns every rejection and every defect into the same response, and records the reason for the owner. */
export function respondToRejections({ rejections, telemetry }: ResponseOptions): Step {
  return {
    onError: async function respondToRejectionsOnError(request) {
      const submission = request.event;
      request.response = rejected(submission.surface);
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

/** Returns the original response. If the body differs, this is recorded for the owner: a lead may be lost. */
export function respondToReplay(rejections: Rejections) {
  return async function replay(submission: Submission, original: OriginalResponse): Promise<HttpResponse> {
    const response = replayed(submission, original);
    const { outcome, attribution } = submission;
    // Records of an earlier version have no hash.
    const sameBody = !original.bodySha256 || original.bodySha256 === hashBody(submission);
    if (sameBody || outcome?.kind !== 'replayed') return response;
    const diagnosticsDropped = await rejections.record(
      describeSubmission(submission, {
        reason: KEY_REUSED,
        detail: { originalSubmissionId: outcome.submissionId },
      }),
      { workspaceIds: attribution.workspaceIds, authenticated: true },
      submission.signal,
    );
    submission.outcome = { ...outcome, diagnosticsDropped };
    return response;
  };
}

/** Above the 99th percentile of a rejection's time, so that nearly all get their response on the first tick. */
export const TICK_MS = 40;

/** Node's timers have a resolution of a millisecond and fire late: the rest is a busy wait. */
const SPIN_MS = 1.2;

/** In milliseconds with fractions, from an arbitrary zero. */
export interface TickClock {
  readonly now: () => number;
  readonly sleepUntil: (moment: number) => Promise<void>;
}

export const preciseClock: TickClock = {
  now: () => performance.now(),

  async sleepUntil(moment) {
    const milliseconds = Math.floor(moment - performance.now() - SPIN_MS);
    if (milliseconds > 0) await sleep(milliseconds);
    while (performance.now() < moment);
  },
};

/**
 * Holds back the response to an unauthenticated request until 40 ms after it began, or the next multiple of that. A
 * record that exists takes some 100 µs longer to handle than none; on the tick, both get their response at the same time.
 * It has to be the last step: whatever ran after it could be timed.
 */
export function respondOnTick({ tickClock }: { readonly tickClock: TickClock }) {
  return async function respondOnTickAtEnd({ event }: Request): Promise<void> {
    const { credential, beganAt } = event as Submission;
    if (!credential) await tickClock.sleepUntil(beganAt + nextTick(tickClock.now() - beganAt));
  };
}

export function nextTick(elapsed: number): number {
  return Math.max(1, Math.ceil(elapsed / TICK_MS)) * TICK_MS;
}

interface ReportOptions {
  readonly telemetry: Telemetry;
  readonly now: () => number;
}

/** Runs once the response is known, whichever step gave it: early responses skip Middy's `after` phase. */
export function reportOutcome({ telemetry, now }: ReportOptions) {
  return function reportOutcomeAtEnd(request: Request) {
    const submission = request.event as Submission;
    telemetry.submission(submission, now() - submission.receivedAtMilliseconds);
  };
}

/** One wide line per submission, plus one per defect. Never a value, a credential or an address. */
export interface Telemetry {
  submission(submission: Submission, tookMilliseconds: number): void;
  defect(error: unknown, submission: Pick<Submission, 'requestId' | 'surface' | 'signal'>): void;
}

/** The line is both a log entry and an EMF document, from which CloudWatch extracts the metrics. */
export function makeTelemetry(now: () => number, write: WriteLine = toStdout): Telemetry {
  return {
    submission(submission, tookMilliseconds) {
      const { surface, requestId, outcome, attribution, body } = submission;
      if (!outcome) return;
      const reason = outcome.kind === 'rejected' ? outcome.reason : undefined;
      const dropped = 'diagnosticsDropped' in outcome && outcome.diagnosticsDropped;
      const values = {
        // Neither an alarm nor the dashboard asks how many were ignored.
        ...(outcome.kind !== 'ignored' && { [METRICS[outcome.kind]]: 1 }),
        [METRICS.latencyMilliseconds]: tookMilliseconds,
        ...(dropped && { [METRICS.diagnosticsDropped]: dropped }),
      };
      write(
        JSON.stringify({
          level: 'INFO',
          code: `submission.${outcome.kind}`,
          requestId,
          surface,
          reason,
          workspaceIds: attribution.workspaceIds,
          formId: attribution.formId,
          ...('submissionId' in outcome && { submissionId: outcome.submissionId }),
          ...('because' in outcome && { because: outcome.because }),
          bodyBytes: body.byteLength,
          ...values,
          _aws: metricsEnvelope(
            now(),
            // Bounded: surface and reason, never a workspace. By reason only the count, which is all that is used.
            { names: Object.keys(values), dimensions: ['surface'] },
            ...(reason === undefined
              ? []
              : [{ names: [METRICS.rejected], dimensions: ['surface', 'reason'] }]),
          ),
        }),
      );
    },

    defect(error, { requestId, surface, signal }) {
      const code = signal.aborted ? 'submission.deadline_passed' : 'submission.defect';
      write(JSON.stringify({ level: 'ERROR', code, requestId, surface, ...describeError(error) }));
    },
  };
}
