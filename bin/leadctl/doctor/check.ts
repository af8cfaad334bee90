import { explainError, type Finding, type Status } from './explain-error.ts';

export const ok = (found: string): Finding => ({ status: 'ok', found });
export const warn = (found: string, todo: string): Finding => ({ status: 'warn', found, todo });
export const fail = (found: string, todo: string): Finding => ({ status: 'fail', found, todo });
export const skip = (found: string): Finding => ({ status: 'skip', found });

/** Combines findings of one kind, such as aliases: reports all of the worst status. */
export function worstOf(findings: readonly Finding[], allFine: string): Finding {
  for (const status of ['fail', 'warn'] as const) {
    const those = findings.filter((each) => each.status === status);
    if (those.length === 0) continue;
    const todos = new Set(those.map(({ todo = '' }) => todo));
    return { status, found: those.map(({ found }) => found).join('; '), todo: [...todos].join(' ') };
  }
  return ok(allFine);
}

export interface Check {
  readonly name: string;
  readonly run: () => Promise<Finding>;
}

export interface CheckResult extends Finding {
  readonly name: string;
}

/** Runs the checks one by one and reports each at once. An error becomes the finding of its check. */
export async function runChecks(
  checks: readonly Check[],
  onResult: (result: CheckResult) => void,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { name, run } of checks) {
    const result = { name, ...(await run().catch(explainError)) };
    results.push(result);
    onResult(result);
  }
  return results;
}

const LABELS: Readonly<Record<Status, string>> = { ok: 'ok', warn: 'warn', fail: 'FAIL', skip: 'skip' };

export function lineOf({ status, name, found, todo }: CheckResult): string {
  return `${LABELS[status].padEnd(4)}  ${name.padEnd(20)}  ${found}${todo ? `. ${todo}` : ''}`;
}

export function summaryOf(results: readonly CheckResult[]): string {
  const count = (status: Status) => results.filter((each) => each.status === status).length;
  const [failed, warned] = [count('fail'), count('warn')];
  if (failed + warned === 0) return 'No issues.';
  return `${failed} failed, ${warned} ${warned === 1 ? 'warning' : 'warnings'}.`;
}
