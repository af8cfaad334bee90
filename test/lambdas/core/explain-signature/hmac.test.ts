import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hmac } from '#debugger/attempts.ts';

test.each(['sha256', 'sha1', 'sha384', 'sha512', 'md5'] as const)(
  'HMAC by %s is what Node makes',
  (algorithm) => {
    const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(anyBytes, anyBytes, anyBytes, (key, first, second) => {
        const expected = createHmac(algorithm, key).update(first).update(second).digest('hex');
        expect(hmac(algorithm, key, [first, second]).toString('hex')).toBe(expected);
      }),
    );
  },
);
