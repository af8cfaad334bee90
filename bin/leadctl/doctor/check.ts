import { explainError } from './explain-error.ts';
import type { Finding, Status } from './finding.ts';

export interface Check {
  readonly name: string;
  readonly run: () => Promise<Finding>;
}

export interface CheckResult extends Finding {
  readonly name: string;
}

/** One after the other, each told at once. What one of them throws becomes its finding, and the others run. */
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
