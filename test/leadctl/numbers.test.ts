import { expect, test } from '@jest/globals';
import { Command, InvalidArgumentError } from 'commander';
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

test('says which option it was, what was given and what is allowed', () => {
  const command = new Command()
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .option('--limit <n>', 'how many at most', read);
  expect(() => command.parse(['--limit', '99999'], { from: 'user' })).toThrow(
    "option '--limit <n>' argument '99999' is invalid. It takes a whole number from 1 to 1,000.",
  );
});
