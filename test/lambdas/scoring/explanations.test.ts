import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import { KEY_REUSED, REASONS } from '#rejections/reasons.ts';
import { DOUBTS, explainSignal, WEIGHTS } from '#scoring/weights.ts';

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

const signals = Object.keys(WEIGHTS);

test('every signal has an explanation of its own', () => {
  const explanations = signals.map(explainSignal);
  expect(explanations.filter((text) => text.trim() === '' || text === explainSignal('unheard of'))).toEqual(
    [],
  );
  expect(new Set(explanations).size).toBe(signals.length);
});

test.each(['unheard_of', 'toString', '__proto__', ''])(
  'an unknown signal %p is described as one of an earlier scoring',
  (name) => {
    expect(explainSignal(name)).toBe('Found by an earlier scoring');
  },
);

test('the guide has exactly the reasons, in the order in which they are checked', () => {
  expect(Object.keys(REASON_GUIDE)).toEqual([...REASONS, KEY_REUSED]);
});

test.each(Object.entries(REASON_GUIDE))(
  '%s is explained in whole sentences',
  (reason, { title, meaning, remedy }) => {
    expect(title).toMatch(/^[A-Z].{4,40}[^.]$/);
    for (const text of [meaning, remedy]) expect(text).toMatch(/^[A-Z].{20,250}\.$/);
    expect(title + meaning + remedy).not.toContain(reason);
  },
);

test('no two reasons have the same text', () => {
  for (const part of ['title', 'meaning', 'remedy'] as const) {
    expect(new Set(Object.values(REASON_GUIDE).map((guide) => guide[part])).size).toBe(REASONS.length + 1);
  }
});
