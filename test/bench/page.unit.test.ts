import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { compareFigures, countedFigures } from '../../bench/deterministic.ts';
import { startProgress } from '../../bench/progress.ts';
import { commitOf, wholeRun } from '../../bench/report/function-sections.ts';
import { completeResults, filesOf, readKept } from '../../bench/results.ts';

const read = (file: string) => readFileSync(new URL(`../../bench/${file}`, import.meta.url), 'utf8');
const results = completeResults(readKept());

/** Both are written by the same command, so one of them was changed alone. */
test('the page has the committed figures: npm run bench -- --only calls,write-units,functions,bundles,sending --commit', () => {
  expect(countedFigures(results)).toEqual(JSON.parse(read('committed.json')));
});

test('the page and its charts say what was measured: npm run bench -- --only calls --update', () => {
  for (const [file, content] of Object.entries(filesOf(results))) expect(read(file)).toBe(content);
});

test('the page says when each part was measured, and at which commit', () => {
  const page = read('../docs/performance.md');
  const run = wholeRun(results.parts);
  expect(page).toContain(`Measured on ${run.at.slice(0, 10)} (commit: ${commitOf(run)})`);
  for (const [name, part] of Object.entries(results.parts)) {
    if (name === 'suite') continue;
    const title = part.quick ? `${name}, with \`--quick\`` : name;
    expect(page).toContain(`| ${title} | ${part.at.slice(0, 10)} | ${commitOf(part)} |`);
  }
});

test('other, new and missing figures are reported; sizes may shrink, and bytes differ a little', () => {
  const committed = { calls: 2, gone: 1, 'bundle KB: send': 30, 'send: bytes': 1_000, 'watch: bytes': 1_000 };
  const now = { calls: 1, more: 1, 'bundle KB: send': 20, 'send: bytes': 1_040, 'watch: bytes': 1_060 };
  expect(compareFigures(committed, now)).toEqual([
    'calls: 1, committed 2',
    'gone: no longer measured',
    'watch: bytes: 1060, committed 1000',
    'more: 1, not committed yet',
  ]);
  expect(compareFigures({ 'bundle KB: send': 30 }, { 'bundle KB: send': 40 })).toHaveLength(1);
});

test('progress says which part it is, and how long the rest takes at the speed of this run', () => {
  const lines: string[] = [];
  let now = 0;
  const progress = startProgress({
    names: ['calls', 'cpu', 'http'],
    lastSeconds: (name) => ({ calls: 10, cpu: 60, http: 120 })[name],
    print: (line) => lines.push(line),
    now: () => now,
  });
  progress.begin('calls');
  // Twice as long as in the last run.
  now = 20_000;
  expect(progress.end()).toBe(20);
  progress.begin('cpu');
  now = 150_000;
  progress.end();
  progress.begin('http');
  progress.end();
  progress.finish();
  expect(lines).toEqual([
    '1 of 3, calls: begins, 0 s so far, about 3 min 10 s left',
    '2 of 3, cpu: begins, 20 s so far, about 6 min 0 s left',
    '3 of 3, http: begins, 2 min 30 s so far, about 4 min 17 s left',
    '3 parts measured in 2 min 30 s',
  ]);
});
