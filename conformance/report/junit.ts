import type { Section } from '../row.ts';
import { count, type Outcome } from '../run-cases.ts';

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
  }[result];
  const name = surface ? `${row.rule} (Surface ${surface})` : row.rule;
  return element('testcase', { classname: section.title, name, time: seconds(milliseconds) }, inside);
}

function totals(outcomes: readonly Outcome[]) {
  return {
    tests: String(outcomes.length),
    failures: String(count(outcomes, 'failed')),
    errors: '0',
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

/** The answers of a wrong deployment may contain characters that XML does not allow. */
function escapeXml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => ENTITIES[character] as string)
    .replace(/[\t\n\r]/g, ' ')
    .replace(/[^\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
