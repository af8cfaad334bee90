import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hmac } from '#debugger/attempts.ts';
import { explainSignature } from '#debugger/explain-signature.ts';
import { MISTAKE_NAMES, MISTAKES } from '#debugger/mistakes.ts';
import { GENERATED } from './generated-mistakes.ts';
import { NOW, SECRET } from './made-case.ts';

describe('a mistake is named', () => {
  test.each(GENERATED.map((each) => [each.mistakes.join(', '), each.title, each] as const))(
    '%s: %s',
    (_, __, { input, secrets, mistakes }) => {
      const explained = explainSignature(input, secrets, NOW);
      expect(explained.decision).not.toBe('accepted');
      expect(explained.mistakes.map(({ name }) => name)).toEqual(mistakes);
    },
  );

  test('and every one that can be named is generated here', () => {
    const generated = new Set(GENERATED.flatMap(({ mistakes }) => mistakes));
    expect(MISTAKE_NAMES.filter((name) => !generated.has(name))).toEqual([]);
  });

  test('in plain words that end and hold no secret', () => {
    expect(MISTAKE_NAMES.every((name) => /^[a-z0-9_]+$/.test(name))).toBe(true);
    for (const text of Object.values(MISTAKES)) expect(text).toMatch(/^[A-Z].*[.]$/s);
    for (const { input, secrets } of GENERATED) {
      expect(JSON.stringify(explainSignature(input, secrets, NOW))).not.toContain(SECRET.slice(6));
    }
  });

  test('with the form whose secret it was, and with the end of the previous secret', () => {
    const explain = (title: string) => {
      const found = GENERATED.find((each) => each.title === title);
      return found && explainSignature(found.input, found.secrets, NOW).mistakes[0];
    };
    expect(explain('another form’s secret')).toMatchObject({ formId: 'form_b' });
    expect(explain('the previous secret, ended')?.explanation).toMatch(
      /It ended at 2027-01-15T07:59:00\.000Z\.$/,
    );
  });
});

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
