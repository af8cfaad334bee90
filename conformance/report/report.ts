import { styleText } from 'node:util';
import { printable } from '../../bin/leadctl/print.ts';
import { SURFACES } from '../../lambdas/submission/limits.ts';
import type { Row, Section } from '../row.ts';
import { count, type Outcome } from './outcome.ts';

const MARKS = { passed: '✓', failed: '✗', skipped: '–' } as const;
const COLOURS = { passed: 'green', failed: 'red', skipped: 'yellow' } as const;
const NOT_FOR_THIS = '·';
const RULE_WIDTH = 84;
const INDENT = ' '.repeat(8);

interface Options {
  /** Only for a terminal: in a file the codes would be noise. */
  readonly colour: boolean;
}

/** The specification's sections and tables, a line a row, with a mark for each surface that the row is about. */
export function reportOf(
  sections: readonly Section[],
  outcomes: readonly Outcome[],
  options: Options,
): string[] {
  return [
    '✓ holds   ✗ does not hold   – skipped   · not for this surface',
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
    // A row that is for no surface in particular has its one mark in the first column.
    const outcome = row.surfaces ? outcomes.find((each) => each.surface === surface) : outcomes[index];
    return outcome ? mark(outcome, options) : row.surfaces ? NOT_FOR_THIS : ' ';
  });
  const note = row.note ? ` ${row.note}` : '';
  const line = `   ${marks.join('  ')}  ${note ? row.rule.padEnd(RULE_WIDTH) : row.rule}${note}`;
  return [line, ...messageLines(outcomes)];
}

function mark({ result }: Outcome, { colour }: Options): string {
  const text = MARKS[result];
  return colour ? styleText(COLOURS[result], text, { validateStream: false }) : text;
}

/** Under the row: what came, for each surface; or why it was skipped, once. */
function messageLines(outcomes: readonly Outcome[]): string[] {
  const lines = outcomes.flatMap(({ message, result, surface }) => {
    if (message === undefined) return [];
    const text = printable(message);
    if (result === 'skipped') return [`${INDENT} skipped: ${text}`];
    return [`${INDENT} ${surface ? `${surface}: ` : ''}${text}`];
  });
  return [...new Set(lines)];
}
