import { InvalidRequest } from '../../core/owner/invalid-request.ts';
import { AdministrationError } from '../../stores/administration/administration-error.ts';
import type { OwnerTelemetry } from '../../telemetry/owner-telemetry.ts';
import type { Step } from './owner-request.ts';
import { notFound, Problem, problemAnswer } from './problem.ts';

/** Turns every problem into an answer that helps, and every defect into one that only names the request. */
export function answerProblems({ telemetry }: { readonly telemetry: OwnerTelemetry }): Step {
  return {
    onError: async function answerProblemsOnError(request) {
      const problem = toProblem(request.error);
      if (!problem) telemetry.defect(request.error, request.event);
      const answered = problem ?? new Problem('internal-error');
      request.event.problem = answered.problem;
      request.response = problemAnswer(
        answered,
        problem ? undefined : request.event.requestContext.requestId,
      );
    },
  };
}

function toProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof InvalidRequest) {
    const field = error.code === 'invalid_cursor' ? 'cursor' : 'from';
    return new Problem('invalid-request', { errors: [{ field, problem: error.message }] });
  }
  if (!(error instanceof AdministrationError)) return undefined;
  if (error.code === 'not_found') return notFound();
  if (error.code === 'conflict') return new Problem('conflict', { detail: error.message });
  return new Problem('invalid-request', { errors: [{ field: '', problem: error.message }] });
}
