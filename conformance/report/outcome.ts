import type { Surface } from '../../lambdas/submission/limits.ts';
import type { Row, Section } from '../row.ts';

/** One row on one surface; or a row that is for none in particular. */
export interface Case {
  readonly section: Section;
  readonly row: Row;
  readonly surface: Surface | undefined;
}

export interface Outcome extends Case {
  readonly result: 'passed' | 'failed' | 'skipped';
  /** What was expected and what came, or why it was skipped. */
  readonly message?: string;
  readonly milliseconds: number;
}

export function casesOf(sections: readonly Section[]): Case[] {
  return sections.flatMap((section) =>
    section.rows.flatMap((row) =>
      (row.surfaces ?? [undefined]).map((surface) => ({ section, row, surface })),
    ),
  );
}

export function count(outcomes: readonly Outcome[], result: Outcome['result']): number {
  return outcomes.filter((each) => each.result === result).length;
}
