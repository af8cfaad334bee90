import { ApiProblem } from '#console/api/problem.ts';

/** Origins contain no whitespace and no commas, so pasted lists work too. */
export function readOrigins(typed: string): string[] {
  return typed.split(/[\s,]+/).filter((entry) => entry !== '');
}

/** What the API says about the list, with the entry it is about. */
export function originsProblem(error: unknown, sent: readonly string[]): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  for (const { field, problem } of error.fields) {
    const [, index] = /^browser\.origins(?:\[(\d+)\])?$/.exec(field) ?? [];
    const entry = index === undefined ? undefined : sent[Number(index)];
    if (entry !== undefined) return `${entry} ${problem}.`;
    if (field === 'browser.origins') return `The list ${problem}.`;
  }
  return undefined;
}
