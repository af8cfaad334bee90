import { expect, test } from '@jest/globals';
import { warningText } from '../../local/function-log.ts';

test.each([
  ['{"level":"ERROR","message":"no table"}', 'ERROR no table'],
  ['{"level":"warn","message":"slow"}', 'WARN slow'],
  ['{"level":"ERROR","code":"x","_aws":{"a":1}}', 'ERROR {"level":"ERROR","code":"x"}'],
  ['2026-01-01T00:00:00.000Z\tid\tWARN\tslow\rvery', 'WARN slow\n  very'],
])('shows %j', (line, text) => {
  expect(warningText(line)).toBe(text);
});

test.each([
  '{"level":"INFO","message":"ERROR"}',
  '{"message":"no level"}',
  '{ not json',
  'REPORT RequestId: 1\tDuration: 2 ms',
  '2026-01-01T00:00:00.000Z\tid\tINFO\tWARN',
  '',
])('keeps %j to the file', (line) => {
  expect(warningText(line)).toBeUndefined();
});
