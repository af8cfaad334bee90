import { ApiProblem, describe } from '../../api/problem.ts';

/** What the API says against one field, as a sentence of its own; undefined when it says nothing about it. */
export function problemAt(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const found = error.fields.find((one) => one.field === field);
  return found && sentence(found.problem);
}

/** What went wrong otherwise; undefined when the field tells all of it. */
export function problemElsewhere(error: unknown, field: string): string | undefined {
  if (error == null) return undefined;
  const isAllTold = error instanceof ApiProblem && error.fields.some((one) => one.field === field);
  return isAllTold ? undefined : describe(error);
}

export function sentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}
