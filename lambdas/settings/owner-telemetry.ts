import { describeError, metricsEnvelope, toStdout, type WriteLine } from '../aws/telemetry.ts';
import { METRICS, OWNER_METRICS } from '../contract.ts';
import type { Answer, OwnerEvent } from './owner-request.ts';

/** One line for each request of an owner, and one more for a defect. Never a path, a query, a body or an answer. */
export interface OwnerTelemetry {
  request(event: OwnerEvent, answer: Answer | undefined, tookMilliseconds: number): void;
  defect(error: unknown, event: OwnerEvent): void;
}

/** The line of a request is at the same time an EMF document, from which CloudWatch takes the metrics. */
export function makeOwnerTelemetry(
  area: 'settings' | 'diagnostics',
  now: () => number,
  write: WriteLine = toStdout,
): OwnerTelemetry {
  const about = ({ requestContext: { requestId }, owner, route }: OwnerEvent) => ({
    ...{ requestId, route, workspaceId: owner?.workspaceId, userId: owner?.userId },
  });
  return {
    request(event, answer, tookMilliseconds) {
      const values = {
        [OWNER_METRICS.requests]: 1,
        [OWNER_METRICS.failures]: (answer?.statusCode ?? 500) >= 500 ? 1 : 0,
        [METRICS.latencyMilliseconds]: tookMilliseconds,
      };
      const line = {
        ...{ level: 'INFO', code: `${area}.request`, area, ...about(event) },
        ...{ status: answer?.statusCode, problem: event.problem },
        ...{ answerBytes: answer?.body?.length ?? 0, ...values },
        // By area only. Each route would be three more metrics to pay for; the line names it to whoever searches.
        _aws: metricsEnvelope(now(), { names: Object.keys(values), dimensions: ['area'] }),
      };
      write(JSON.stringify(line));
    },
    defect(error, event) {
      const code = event.signal.aborted ? `${area}.deadline_passed` : `${area}.defect`;
      write(JSON.stringify({ level: 'ERROR', code, ...about(event), ...describeError(error) }));
    },
  };
}
