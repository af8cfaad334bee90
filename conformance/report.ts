import { styleText } from 'node:util';
import { printable } from '../bin/operator/terminal.ts';
import { SURFACES } from '../lambdas/model/limits.ts';
import type { Row, Section } from './row.ts';
import { count, type Outcome } from './suite.ts';

const MARKS = { passed: '✓', failed: '✗', skipped: '–', untried: '?' } as const;
const COLORS = { passed: 'green', failed: 'red', skipped: 'yellow', untried: 'red' } as const;
const NOT_FOR_THIS = '·';
const RULE_WIDTH = 84;
const INDENT = ' '.repeat(8);

interface Options {
  /** Only for a terminal, not for a file. */
  readonly color: boolean;
}

/** The sections of the specification, one line per row, with a mark for each surface that the row is about. */
export function reportOf(
  sections: readonly Section[],
  outcomes: readonly Outcome[],
  options: Options,
): string[] {
  return [
    '✓ passed   ✗ failed   ? could not be tried   – skipped   · not for this surface',
    ...sections.flatMap((section) => sectionLines(section, outcomes, options)),
    '',
    ...reasonsOf(outcomes, 'skipped', 'Skipped, because a run cannot find out or was not asked to:'),
    ...reasonsOf(outcomes, 'untried', 'Could not be tried, because there was no response:'),
    `${count(outcomes, 'passed')} passed, ${count(outcomes, 'failed')} failed, ${count(outcomes, 'untried')} could not be tried, ${count(outcomes, 'skipped')} skipped.`,
  ];
}

/** Each reason with the number of rows, most frequent first. */
function reasonsOf(outcomes: readonly Outcome[], wanted: Outcome['result'], title: string): string[] {
  const messages = outcomes.filter(({ result }) => result === wanted).map(({ message = '' }) => message);
  const byReason = [...Map.groupBy(messages, (message) => message)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  if (byReason.length === 0) return [];
  const lines = byReason.map(
    ([reason, { length }]) => `  ${String(length).padStart(3)}  ${printable(reason)}`,
  );
  return [title, ...lines, ''];
}

function sectionLines(section: Section, outcomes: readonly Outcome[], options: Options): string[] {
  const { title, about, rows } = section;
  return [
    '',
    options.color ? styleText('bold', title, { validateStream: false }) : title,
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

function mark({ result }: Outcome, { color }: Options): string {
  const text = MARKS[result];
  return color ? styleText(COLORS[result], text, { validateStream: false }) : text;
}

/** Under the row: what was expected and what came, per surface; or, once, why it was skipped. */
function messageLines(outcomes: readonly Outcome[]): string[] {
  const lines = outcomes.flatMap(({ message, result, surface }) => {
    if (message === undefined) return [];
    const text = printable(message);
    if (result === 'skipped') return [`${INDENT} skipped: ${text}`];
    if (result === 'untried') return [`${INDENT} could not be tried: ${text}`];
    return [`${INDENT} ${surface ? `${surface}: ` : ''}${text}`];
  });
  return [...new Set(lines)];
}

/** The report for CI: one test suite per section, one test case per row and surface. */
export function junitOf(sections: readonly Section[], outcomes: readonly Outcome[]): string {
  const suites = sections
    .map((section) => ({ section, own: outcomes.filter((each) => each.section === section) }))
    .filter(({ own }) => own.length > 0)
    .map(({ section, own }) =>
      element('testsuite', { name: section.title, ...totals(own) }, own.map(testcase)),
    );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    element('testsuites', { name: 'conformance', ...totals(outcomes) }, suites),
    '',
  ].join('\n');
}

function testcase({ section, row, surface, result, message = '', milliseconds }: Outcome): string {
  const inside = {
    passed: [],
    failed: [element('failure', { message }, [])],
    skipped: [element('skipped', { message }, [])],
    untried: [element('error', { message }, [])],
  }[result];
  const name = surface ? `${row.rule} (Surface ${surface})` : row.rule;
  return element('testcase', { classname: section.title, name, time: seconds(milliseconds) }, inside);
}

function totals(outcomes: readonly Outcome[]) {
  return {
    tests: String(outcomes.length),
    failures: String(count(outcomes, 'failed')),
    errors: String(count(outcomes, 'untried')),
    skipped: String(count(outcomes, 'skipped')),
    time: seconds(outcomes.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
  };
}

function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  inside: readonly string[],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const open = `<${name}${written.join('')}`;
  if (inside.length === 0) return `${open}/>`;
  const indented = inside.map((each) => each.replace(/^/gm, '  '));
  return [`${open}>`, ...indented, `</${name}>`].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The responses of a wrong deployment may contain characters that XML does not allow. */
function escapeXml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => ENTITIES[character] as string)
    .replace(/[\t\n\r]/g, ' ')
    .replace(/[^\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
