import type { Answer, OwnerEvent } from '../middleware/settings/owner-request.ts';
import { describeError } from './describe-error.ts';
import { toStdout, type WriteLine } from './write-line.ts';

/** One line for each request of an owner, and one more for a defect. Never a path, a query, a body or an answer. */
export interface OwnerTelemetry {
  request(event: OwnerEvent, answer: Answer | undefined, tookMilliseconds: number): void;
  defect(error: unknown, event: OwnerEvent): void;
}

export function makeOwnerTelemetry(
  area: 'settings' | 'diagnostics',
  write: WriteLine = toStdout,
): OwnerTelemetry {
  const about = ({ requestContext: { requestId }, owner, route }: OwnerEvent) => ({
    ...{ requestId, route, workspaceId: owner?.workspaceId, userId: owner?.userId },
  });
  return {
    request(event, answer, tookMilliseconds) {
      const line = {
        ...{ level: 'INFO', code: `${area}.request`, ...about(event) },
        ...{ status: answer?.statusCode, problem: event.problem, tookMilliseconds },
        answerBytes: answer?.body?.length ?? 0,
      };
      write(JSON.stringify(line));
    },
    defect(error, event) {
      const code = event.signal.aborted ? `${area}.deadline_passed` : `${area}.defect`;
      write(JSON.stringify({ level: 'ERROR', code, ...about(event), ...describeError(error) }));
    },
  };
}
