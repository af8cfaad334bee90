import { METRICS } from './contract.ts';
import type { Submission } from './middleware/submission.ts';

/** One wide line for each submission, and one more for a defect. Never a value, a credential or an address. */
export interface Telemetry {
  submission(submission: Submission, tookMilliseconds: number): void;
  defect(error: unknown, submission: Pick<Submission, 'requestId' | 'surface' | 'signal'>): void;
}

type WriteLine = (line: string) => void;

// Not console.log: with Lambda's JSON logging that would wrap the line, and CloudWatch would find no metrics in it.
const toStdout: WriteLine = (line) => void process.stdout.write(`${line}\n`);

/** The line is at the same time a log entry and an EMF document, from which CloudWatch takes the metrics. */
export function makeTelemetry(now: () => number, write: WriteLine = toStdout): Telemetry {
  return {
    submission(submission, tookMilliseconds) {
      const { surface, requestId, outcome, attribution, body } = submission;
      if (!outcome) return;
      const reason = outcome.kind === 'rejected' ? outcome.reason : undefined;
      const values = {
        [METRICS[outcome.kind]]: 1,
        [METRICS.latencyMilliseconds]: tookMilliseconds,
        ...(outcome.kind === 'rejected' && outcome.diagnosticsDropped > 0
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
          _aws: metricsEnvelope(now(), Object.keys(values), reason !== undefined),
        }),
      );
    },

    defect(error, { requestId, surface, signal }) {
      const code = signal.aborted ? 'submission.deadline_passed' : 'submission.defect';
      write(JSON.stringify({ level: 'ERROR', code, requestId, surface, ...describeError(error) }));
    },
  };
}

/** Dimensions are bounded: surface and reason, never a workspace. */
function metricsEnvelope(timestamp: number, names: readonly string[], hasReason: boolean) {
  return {
    Timestamp: timestamp,
    CloudWatchMetrics: [
      {
        Namespace: METRICS.namespace,
        Dimensions: hasReason ? [['surface'], ['surface', 'reason']] : [['surface']],
        Metrics: names.map((Name) => ({
          Name,
          Unit: Name === METRICS.latencyMilliseconds ? 'Milliseconds' : 'Count',
        })),
      },
    ],
  };
}

/** Names the cause and the place. Messages stay out: some quote the data that they complain about. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const details = error as Error & {
    code?: unknown;
    $metadata?: { httpStatusCode?: number; attempts?: number };
  };
  return {
    error: error.name,
    errorCode: typeof details.code === 'string' ? details.code : undefined,
    httpStatusCode: details.$metadata?.httpStatusCode,
    attempts: details.$metadata?.attempts,
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8)
      .map((line) => line.trim()),
    cause: error.cause instanceof Error ? describeError(error.cause) : undefined,
  };
}
