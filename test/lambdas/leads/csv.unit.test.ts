import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvLine, neutralize, neutralizeJson } from '#leads/export/csv-cells.ts';
import { parseCsv } from './csv-fixture.ts';

const nasty = fc.array(
  fc.oneof(
    fc.constantFrom('"', ',', '\r', '\n', '\t', ';', '=', '+', '-', '@', "'", ' ', '＝', '1', 'a', '\u0000'),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  ),
  { maxLength: 12 },
);

describe('a line of CSV', () => {
  test('returns what was put in, whatever the characters', () => {
    const cells = fc.array(
      nasty.map((parts) => parts.join('')),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(cells, (row) => {
        expect(parseCsv(csvLine(row))).toEqual([row.map(neutralize)]);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+1-2', "'+1-2"],
    ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
    ["+49 30 1234567+cmd|' /C calc'!A0", "'+49 30 1234567+cmd|' /C calc'!A0"],
    ['+(1234567)A1', "'+(1234567)A1"],
    ['+49 30 1234567\n=1', "'+49 30 1234567\n'=1"],
    ['+-1234567', "'+-1234567"],
    ['-49 30 1234567', "'-49 30 1234567"],
    ['+4930', "'+4930"],
    ['+1234567890123456', "'+1234567890123456"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\rx', "'\rx"],
    ['\u00a0\u200b\ufeff=1', "'\u00a0\u200b\ufeff=1"],
    ['＝1', "'＝1"],
    ['﹦1', "'﹦1"],
    ['-', "'-"],
    ['-5e', "'-5e"],
    ["Hi;=cmd|'/C calc'!A0;bye", "Hi;'=cmd|'/C calc'!A0;bye"],
    ['a; +1;b', "a;' +1;b"],
    ['a;+49 30 1234567', "a;'+49 30 1234567"],
    ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
    ['a\n=1\r\n＝2', "a\n'=1\r\n'＝2"],
    ['a;"=1"', 'a;\'"=1"'],
  ])('turns %j into %j, which no spreadsheet evaluates', (cell, safe) => {
    expect(neutralize(cell)).toBe(safe);
  });

  test.each([
    '',
    '-5',
    '1e400',
    '-1.5E-7',
    `-${'9'.repeat(400)}`,
    'a=b',
    '  two words ',
    '+49 30 1234567',
    '+49 (0)30 / 123 45-67',
    '+1 (415) 555-0100',
    '(030) 1234567',
    'one; two\n\tthree = 3',
    "'quoted",
  ])('leaves %j alone', (cell) => {
    expect(neutralize(cell)).toBe(cell);
  });

  test('never begins with a character that a spreadsheet evaluates, unless it is a number or a phone number', () => {
    fc.assert(
      fc.property(
        nasty.map((parts) => parts.join('')),
        (cell) => {
          const safe = neutralize(cell);
          const runs = /^\s*[=+\-@＝＋－＠]/.test(safe);
          const isHarmless = !Number.isNaN(Number(safe)) || /^\+[\d ()./-]+$/.test(safe);
          expect(runs && !isHarmless).toBe(false);
          for (const separator of [';', '\t', '\n', '\r']) {
            for (const part of safe.split(separator).slice(1))
              expect(part).not.toMatch(/^["\s]*[=+\-@＝＋－＠]/);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('keeps the value of JSON in which something looks like a formula', () => {
    const value = { 'a;=1': ['b;"=2', '\\;-3'], plain: 'c; d' };
    const safe = neutralizeJson(JSON.stringify(value));
    expect(JSON.parse(safe)).toEqual(value);
    expect(neutralize(safe)).toBe(safe);
    expect(neutralizeJson('{"plain":"c; d"}')).toBe('{"plain":"c; d"}');
  });
});
