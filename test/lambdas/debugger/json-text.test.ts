import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bodyVariants } from '#debugger/body-variants.ts';
import { type JsonText, readJsonText, SPELLINGS, writeJsonText } from '#debugger/json-text.ts';
import { shortAttempts } from '#debugger/short-explanation.ts';
import { nestedBody, SECRET, TIMESTAMP } from './made-case.ts';

const COMPACT = { comma: ',', colon: ':' };
const TWO = { comma: ',', colon: ': ', indent: '  ' };

function rewrite(
  text: string,
  spelling: keyof typeof SPELLINGS,
  layout: typeof COMPACT = COMPACT,
  sorted = false,
) {
  const json = readJsonText(text);
  return (
    json &&
    writeJsonText(json, { layout, spell: SPELLINGS[spelling].spell, sorted }, Number.POSITIVE_INFINITY)
  );
}

describe('JSON as it was written', () => {
  test('is written as JSON.stringify writes it, from any layout', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const value: unknown = JSON.parse(json);
        const sent = JSON.stringify(value, null, indent);
        expect(rewrite(sent, 'plain')).toBe(JSON.stringify(value));
        expect(rewrite(sent, 'plain', TWO)).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  test('means the same in every spelling and order', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.boolean(), (json, sorted) => {
        for (const spelling of Object.keys(SPELLINGS) as (keyof typeof SPELLINGS)[]) {
          expect(JSON.parse(rewrite(json, spelling, COMPACT, sorted) as string)).toEqual(JSON.parse(json));
        }
      }),
    );
  });

  test('keeps numbers, repeated keys and numeric keys as they are', () => {
    expect(rewrite('{ "b": 1.0, "1": 1e3, "b": 12345678901234567890 }', 'plain')).toBe(
      '{"b":1.0,"1":1e3,"b":12345678901234567890}',
    );
  });

  test.each([
    ['ascii', '"\\u00eb\\ud83d\\ude00/<\\u007f\\"\'"'],
    ['php', '"\\u00eb\\ud83d\\ude00\\/<\\u007f\\"\'"'],
    ['slashes', '"ë😀\\/<\u007f\\"\'"'],
    ['html', '"ë😀/\\u003c\u007f\\"\'"'],
    ['dotnet', '"\\u00EB\\uD83D\\uDE00/\\u003C\\u007F\\u0022\\u0027"'],
  ] as const)('is spelt %s', (spelling, expected) => {
    expect(rewrite(JSON.stringify('ë😀/<\u007f"\''), spelling)).toBe(expected);
  });

  test('stops writing at the longest length allowed, and fills it exactly', () => {
    const json = readJsonText(nestedBody(8 * 1024)) as JsonText;
    let spelt = 0;
    const spell = (token: string) => {
      spelt += 1;
      return token;
    };
    const writing = { layout: TWO, spell, sorted: false };
    expect(writeJsonText(json, writing, 10_000)).toBeUndefined();
    // Each takes a line of its own, after 198 spaces.
    expect(spelt).toBeLessThan(10_000 / 198);

    const whole = writeJsonText(json, writing, Number.POSITIVE_INFINITY) as string;
    expect(writeJsonText(json, writing, whole.length)).toBe(whole);
    expect(writeJsonText(json, writing, whole.length - 1)).toBeUndefined();
  });

  test.each(['', '{', '{"a":}', '\ufeff{}', '['.repeat(200) + ']'.repeat(200)])(
    'is not read from %j',
    (text) => {
      expect(readJsonText(text)).toBeUndefined();
    },
  );
});

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
