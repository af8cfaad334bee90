import { describe, expect, test } from '@jest/globals';
import { readMoment } from '../../bin/leadctl/command-line.ts';

describe('a moment', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');

  test.each([
    ['2026-11-15', '2026-11-15T00:00:00.000Z'],
    ['2026-11-15T08:00Z', '2026-11-15T08:00:00.000Z'],
    ['2026-11-15T08:00:30+02:00', '2026-11-15T06:00:30.000Z'],
    ['36h', '2026-11-14T00:00:00.000Z'],
    ['7d', '2026-11-08T12:00:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(readMoment(text, undefined, now)).toBe(moment);
  });

  test('must exist in the calendar', () => {
    expect(() => readMoment('2026-02-31T25:00Z', undefined, now)).toThrow('Use a date');
  });
});
