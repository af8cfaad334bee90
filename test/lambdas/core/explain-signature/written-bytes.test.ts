import { describe, expect, test } from '@jest/globals';
import { bodyVariants } from '#debugger/body-variants.ts';
import { shortAttempts } from '#debugger/short-explanation.ts';
import { nestedBody, SECRET, TIMESTAMP } from './made-case.ts';

const KB = 1024;
const BODIES = {
  'nested arrays': nestedBody,
  'nested objects': (bytes: number) =>
    `${'{"a":'.repeat(90)}{${Array(Math.floor((bytes - 600) / 7)).fill('"a":""')}}${'}'.repeat(90)}`,
  'numbers that JavaScript writes longer': (bytes: number) =>
    `[${Array(Math.floor(bytes / 5) - 1).fill('1e20')}]`,
  'characters that are escaped': (bytes: number) => JSON.stringify('\u007f'.repeat(bytes - 2)),
};

/** What is written, and hashed at least once, for a body that anybody may send. Bytes, since time depends on the machine. */
describe('the bytes that are written to explain a signature', () => {
  describe.each(Object.entries(BODIES))('%s', (_, bodyOf) => {
    test('are at most 48 times the body before authentication', () => {
      const body = Buffer.from(bodyOf(8 * KB));
      const tried = shortAttempts({ timestamp: TIMESTAMP, signature: '', body }, { current: SECRET }, 0);
      expect(sum(tried.map((attempt) => attempt.body.bytes.length))).toBeLessThan(48 * 8 * KB);
    });

    test.each([8, 16, 128])('are at most six times %i KB in each variant of the debugger', (kilobytes) => {
      const body = Buffer.from(bodyOf(kilobytes * KB));
      const lengths = bodyVariants(body).map(({ bytes }) => bytes.length);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(6 * kilobytes * KB);
      expect(lengths.length).toBeGreaterThan(10);
    });
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
