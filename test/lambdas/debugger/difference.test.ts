import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { differenceOf } from '#debugger/difference.ts';
import { explainSignature } from '#debugger/explain-signature.ts';
import { GENERATED } from './generated-mistakes.ts';
import { dotted, type Made, made, NOW, SECRET, TIMESTAMP } from './made-case.ts';

function explain(making: Made) {
  const { input, secrets } = made('', [], making);
  return explainSignature(input, secrets, NOW);
}

/** The bytes that a text in this spelling stands for. */
function bytesOf(printed: string): Buffer {
  const named: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\' };
  const text = printed.replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_, hex, name) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (named[name] as string),
  );
  return Buffer.from(text, 'latin1');
}

describe('the difference', () => {
  test('shows the newline that was signed and not sent', () => {
    expect(explain({ body: '{"a":1}', message: dotted('{"a":1}\n') }).difference).toEqual({
      atByte: 18,
      fromByte: 0,
      expected: `${TIMESTAMP}.{"a":1}`,
      signed: `${TIMESTAMP}.{"a":1}\\n`,
      signedByteLength: 19,
    });
  });

  test('shows only the surroundings in a large body', () => {
    const body = `{"a":"${'x'.repeat(5_000)}"}`;
    const { difference } = explain({ body, message: dotted(`${body}\n`) });
    expect(difference).toEqual({
      atByte: 11 + body.length,
      fromByte: 11 + body.length - 32,
      expected: `${'x'.repeat(30)}"}`,
      signed: `${'x'.repeat(30)}"}\\n`,
      signedByteLength: 11 + body.length + 1,
    });
  });

  test('is there wherever the message was wrong, and the signature is made of just that message', () => {
    let seen = 0;
    for (const { input, secrets, title } of GENERATED) {
      const { difference, mistakes } = explainSignature(input, secrets, NOW);
      const ofMessage = mistakes.some(({ name }) => /^(?:message|body)_/.test(name));
      if (ofMessage) expect([title, difference]).toEqual([title, expect.anything()]);
      const digest = /^(?:sha256=)?([0-9a-f]{64})$/.exec(input.signature ?? '')?.[1];
      if (!difference || difference.fromByte > 0 || !digest) continue;
      const signed = bytesOf(difference.signed);
      if (
        signed.length < difference.signedByteLength ||
        mistakes.some(({ name }) => !/^(?:message|body)_/.test(name))
      )
        continue;
      seen += 1;
      expect([title, createHmac('sha256', SECRET).update(signed).digest('hex')]).toEqual([title, digest]);
    }
    expect(seen).toBeGreaterThan(20);
  });

  test('is not there where only the key, the encoding or the clock is wrong, nor where nothing explains it', () => {
    for (const making of [
      { key: `${SECRET}\n` },
      { header: (digest: Buffer) => digest.toString('base64') },
      { timestamp: '1700000000' },
      { header: () => 'ab'.repeat(32) },
      {},
    ]) {
      expect(explain(making)).not.toHaveProperty('difference');
    }
  });

  test('begins where the bytes do', () => {
    const bytes = fc.uint8Array({ maxLength: 300, max: 3 });
    fc.assert(
      fc.property(bytes, bytes, bytes, (start, one, other) => {
        const expected = Buffer.concat([start, one]);
        const signed = Buffer.concat([start, other]);
        const found = differenceOf(expected, signed);
        if (!found) return expect(expected.equals(signed)).toBe(true);
        const { atByte, fromByte } = found;
        expect(expected.subarray(0, atByte).equals(signed.subarray(0, atByte))).toBe(true);
        expect(expected[atByte]).not.toBe(signed[atByte]);
        for (const [printed, whole] of [
          [found.expected, expected],
          [found.signed, signed],
        ] as const) {
          expect(bytesOf(printed).equals(whole.subarray(fromByte, atByte + 160))).toBe(true);
        }
      }),
    );
  });
});
