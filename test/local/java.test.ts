import { expect, test } from '@jest/globals';
import { javaMajor } from '../../local/dynamodb-local.ts';

test.each([
  ['openjdk version "17.0.20" 2026-07-21', 17],
  ['openjdk version "21" 2023-09-19', 21],
  ['java version "1.8.0_402"', 8],
  ['openjdk version "9-internal"', 9],
  ['something else', undefined],
])('%s', (banner, major) => {
  expect(javaMajor(banner)).toBe(major);
});
