import type { Request } from '@middy/core';
import { describeError, metricsEnvelope, toStdout, type WriteLine } from '../aws/telemetry.ts';
import { METRICS } from '../contract.ts';
import type { Submission } from './submission.ts';

interface Options {
  readonly telemetry: Telemetry;
  readonly now: () => number;
}

/** Runs once the answer is known, whichever step gave it: early answers skip Middy's `after` phase. */
export function reportOutcome({ telemetry, now }: Options) {
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
      const values = {
        [METRICS[outcome.kind]]: 1,
        [METRICS.latencyMilliseconds]: tookMilliseconds,
        ...(outcome.kind !== 'accepted' && outcome.diagnosticsDropped
          ? { [METRICS.diagnosticsDropped]: outcome.diagnosticsDropped }
          : {}),
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
          submissionId: outcome.kind === 'rejected' ? undefined : outcome.submissionId,
          bodyBytes: body.byteLength,
          ...values,
          _aws: metricsEnvelope(
            now(),
            // Bounded: surface and reason, never a workspace. By reason only the count, since nobody reads more.
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
