import { expect, test } from '@jest/globals';
import { InvalidArgumentError } from 'commander';
import { wholeNumber } from '../../bin/leadctl/numbers.ts';

const read = wholeNumber(1, 1_000);

test.each([
  ['1', 1],
  ['007', 7],
  ['1000', 1_000],
])('reads %s', (text, number) => {
  expect(read(text)).toBe(number);
});

test.each(['', '0', '1001', '-1', '1.5', '1e2', ' 1', 'ten', '9999999999'])('refuses "%s"', (text) => {
  expect(() => read(text)).toThrow(InvalidArgumentError);
});
