import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type JsonText, readJsonText, SPELLINGS, writeJsonText } from '#debugger/json-text.ts';
import { nestedBody } from './made-case.ts';

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
