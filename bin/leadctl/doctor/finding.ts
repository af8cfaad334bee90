/** A warning does not fail the examination; what was skipped does not apply, or could not be asked. */
export type Status = 'ok' | 'warn' | 'fail' | 'skip';

export interface Finding {
  readonly status: Status;
  readonly found: string;
  /** On a warning or failure, what to do. */
  readonly todo?: string;
}

export const ok = (found: string): Finding => ({ status: 'ok', found });
export const warn = (found: string, todo: string): Finding => ({ status: 'warn', found, todo });
export const fail = (found: string, todo: string): Finding => ({ status: 'fail', found, todo });
export const skip = (found: string): Finding => ({ status: 'skip', found });

/** Of several of one kind, such as aliases: the worst decides, and all that are as bad are named. */
export function worstOf(findings: readonly Finding[], allFine: string): Finding {
  for (const status of ['fail', 'warn'] as const) {
    const those = findings.filter((each) => each.status === status);
    if (those.length === 0) continue;
    const todos = new Set(those.map(({ todo = '' }) => todo));
    return { status, found: those.map(({ found }) => found).join('; '), todo: [...todos].join(' ') };
  }
  return ok(allFine);
}
