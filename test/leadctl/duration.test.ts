import { expect, test } from '@jest/globals';
import { readDuration } from '../../bin/leadctl/duration.ts';

test.each([
  ['0', 0],
  ['0h', 0],
  ['90m', 5_400_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
])('reads %s', (text, milliseconds) => {
  expect(readDuration(text)).toBe(milliseconds);
});

test.each(['', '12', '-1h', '1.5h', '24H', '1w', '1h30m', ' 1h', '1e3m', '9999999d'])(
  'refuses "%s"',
  (text) => {
    expect(() => readDuration(text)).toThrow('A duration is 0, or');
  },
);
