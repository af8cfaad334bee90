import type { Case } from '../row.ts';

export interface Outcome extends Case {
  readonly result: 'passed' | 'failed' | 'skipped';
  /** What was expected and what came, or why it was skipped. */
  readonly message?: string;
  readonly milliseconds: number;
}

export function count(outcomes: readonly Outcome[], result: Outcome['result']): number {
  return outcomes.filter((each) => each.result === result).length;
}
