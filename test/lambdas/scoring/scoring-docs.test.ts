import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { DOUBTS, WEIGHTS } from '#scoring/weights.ts';

test('docs/scoring.md shows the table of weights, row by row', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../../docs/scoring.md'), 'utf8');
  const shown = [...text.matchAll(/^\| `(\w+)` +\| +(-?\d+) +\| (.*?) *\| (.*?) *\| (.*?) *\|$/gm)].map(
    (match) => match.slice(1, 6),
  );
  const doubts: Partial<Record<string, number>> = DOUBTS;
  const inCode = Object.entries(WEIGHTS).map(([name, [weight, verdict, meaning]]) => [
    name,
    String(weight),
    verdict === 'never clean' ? 'never' : '',
    String(doubts[name] ?? ''),
    meaning,
  ]);
  expect(shown).toEqual(inCode);
});
