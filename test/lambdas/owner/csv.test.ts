import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvLine, neutralise } from '../../../lambdas/core/owner/csv.ts';
import { parseCsv } from './parse-csv.ts';

const nasty = fc.array(
  fc.oneof(
    fc.constantFrom('"', ',', '\r', '\n', '\t', ';', '=', '+', '-', '@', "'", ' ', '＝', '1', 'a', '\u0000'),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  ),
  { maxLength: 12 },
);

describe('a line of CSV', () => {
  test('gives back what was put in, however nasty', () => {
    const cells = fc.array(
      nasty.map((parts) => parts.join('')),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(cells, (row) => {
        expect(parseCsv(csvLine(row))).toEqual([row.map(neutralise)]);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1234', "'+49 30 1234"],
    ['+4930', "'+4930"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\rx', "'\rx"],
    ['\nx', "'\nx"],
    ['   =1', "'   =1"],
    ['\u00a0\u200b\ufeff=1', "'\u00a0\u200b\ufeff=1"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['﹦1', "'﹦1"],
    ['=', "'="],
    ['-', "'-"],
    ['-5e', "'-5e"],
  ])('turns %j into %j, which no spreadsheet runs', (cell, safe) => {
    expect(neutralise(cell)).toBe(safe);
  });

  test.each([
    '',
    '-5',
    '-5.25',
    '1e400',
    '-1.5E-7',
    `-${'9'.repeat(400)}`,
    'a=b',
    'ada@example.org',
    '2026-11-15',
    '  two words ',
    "'quoted",
    'Ünïcödé',
  ])('leaves %j alone', (cell) => {
    expect(neutralise(cell)).toBe(cell);
  });

  test('never begins with a sign that a spreadsheet runs, unless it is a plain number', () => {
    fc.assert(
      fc.property(
        nasty.map((parts) => parts.join('')),
        (cell) => {
          const safe = neutralise(cell);
          const runs = /^\s*[=+\-@＝＋－＠]/.test(safe);
          expect(runs && Number.isNaN(Number(safe))).toBe(false);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
