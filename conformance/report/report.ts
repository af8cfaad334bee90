import { styleText } from 'node:util';
import { printable } from '../../bin/operator/terminal.ts';
import { SURFACES } from '../../lambdas/submission/limits.ts';
import type { Row, Section } from '../row.ts';
import { count, type Outcome } from '../run-cases.ts';

const MARKS = { passed: '✓', failed: '✗', skipped: '–' } as const;
const COLOURS = { passed: 'green', failed: 'red', skipped: 'yellow' } as const;
const NOT_FOR_THIS = '·';
const RULE_WIDTH = 84;
const INDENT = ' '.repeat(8);

interface Options {
  /** Only for a terminal, not for a file. */
  readonly colour: boolean;
}

/** The sections of the specification, one line per row, with a mark for each surface that the row is about. */
export function reportOf(
  sections: readonly Section[],
  outcomes: readonly Outcome[],
  options: Options,
): string[] {
  return [
    '✓ passed   ✗ failed   – skipped   · not for this surface',
    ...sections.flatMap((section) => sectionLines(section, outcomes, options)),
    '',
    summaryOf(outcomes),
  ];
}

export function summaryOf(outcomes: readonly Outcome[]): string {
  const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map((result) =>
    count(outcomes, result),
  );
  return `${passed} passed, ${failed} failed, ${skipped} skipped.`;
}

function sectionLines(section: Section, outcomes: readonly Outcome[], options: Options): string[] {
  const { title, about, rows } = section;
  return [
    '',
    options.colour ? styleText('bold', title, { validateStream: false }) : title,
    ...(about ? [`  ${about}`] : []),
    ...(rows.some(({ surfaces }) => surfaces) ? ['  1a 1b'] : []),
    ...rows.flatMap((row) =>
      rowLines(
        row,
        outcomes.filter((each) => each.section === section && each.row === row),
        options,
      ),
    ),
  ];
}

function rowLines(row: Row, outcomes: readonly Outcome[], options: Options): string[] {
  const marks = SURFACES.map((surface, index) => {
    // A row that is not about a surface has its mark in the first column.
    const outcome = row.surfaces ? outcomes.find((each) => each.surface === surface) : outcomes[index];
    return outcome ? mark(outcome, options) : row.surfaces ? NOT_FOR_THIS : ' ';
  });
  const note = noteOf(row);
  const line = `   ${marks.join('  ')}  ${note ? `${row.rule.padEnd(RULE_WIDTH)} ${note}` : row.rule}`;
  return [line, ...messageLines(outcomes)];
}

/** Next to a cause of rejection: the reason that Diagnostics shows. */
function noteOf(row: Row): string | undefined {
  if (row.note !== undefined || !('expect' in row)) return row.note;
  if (['accepted', 'stored', 'rejected'].includes(row.expect)) return undefined;
  return row.seenBy === 'operator' ? `${row.expect}, for the operator` : row.expect;
}

function mark({ result }: Outcome, { colour }: Options): string {
  const text = MARKS[result];
  return colour ? styleText(COLOURS[result], text, { validateStream: false }) : text;
}

/** Under the row: what was expected and what came, per surface; or, once, why it was skipped. */
function messageLines(outcomes: readonly Outcome[]): string[] {
  const lines = outcomes.flatMap(({ message, result, surface }) => {
    if (message === undefined) return [];
    const text = printable(message);
    if (result === 'skipped') return [`${INDENT} skipped: ${text}`];
    return [`${INDENT} ${surface ? `${surface}: ` : ''}${text}`];
  });
  return [...new Set(lines)];
}
