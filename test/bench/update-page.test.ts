import { expect, test } from '@jest/globals';
import type { Row } from '../../bench/report/local-rows.ts';
import { processorTimeOn, updatePage } from '../../bench/report/update-page.ts';

const PAGE = `# Page

| figure | measured | off the shelf | goal | met |
|---|---|---|---|---|
| calls | 2 |  | ≤ 3 | yes |
| calls, with key | 9 |  | ≤ 3 | **no** |

Missed goals and why:

- calls, with key: 9, goal ≤ 3.
- memory: 700, goal 600.

## Calls

old

## Processor time

| accepted | 2.95 ms | 6.19 ms | 1.19 ms |
| accepted, with key | 4.37 ms | 8.15 ms |  |
`;

const row = (figure: string, measured: number): Row => ({
  id: 'calls',
  figure,
  measured: String(measured),
  goal: '≤ 3',
  met: measured <= 3,
});

test('an update replaces sections and figures, and which goals are missed', () => {
  const page = updatePage(PAGE, ['## Calls\n\nnew'], [row('calls', 4), row('calls, with key', 3)]);
  expect(page).toBe(
    PAGE.replace('old', 'new')
      .replace('| calls | 2 |  | ≤ 3 | yes |', '| calls | 4 |  | ≤ 3 | **no** |')
      .replace('| calls, with key | 9 |  | ≤ 3 | **no** |', '| calls, with key | 3 |  | ≤ 3 | yes |')
      .replace('- calls, with key: 9, goal ≤ 3.\n', '- calls: 4, goal ≤ 3.\n'),
  );
});

test('an update fails if the page lacks a section or a figure', () => {
  expect(() => updatePage(PAGE, ['## Search\n\nnew'], [])).toThrow('## Search');
  expect(() => updatePage(PAGE, [], [row('units', 1)])).toThrow('units');
});

test('processor time is read from the page', () => {
  expect(processorTimeOn(PAGE)).toEqual({
    ours: { plain: 2.95, keyed: 4.37 },
    shelf: { plain: 6.19, keyed: 8.15 },
  });
});
