import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readJsonText, writeJsonText } from '../../../../lambdas/core/explain-signature/json-text.ts';
import { SPELLINGS } from '../../../../lambdas/core/explain-signature/string-spellings.ts';

const COMPACT = { comma: ',', colon: ':' };
const TWO = { comma: ',', colon: ': ', indent: '  ' };

function rewrite(
  text: string,
  spelling: keyof typeof SPELLINGS,
  layout: typeof COMPACT = COMPACT,
  sorted = false,
) {
  const json = readJsonText(text);
  return json && writeJsonText(json, { layout, spell: SPELLINGS[spelling].spell, sorted });
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

  test.each(['', '{', '{"a":}', '\ufeff{}', '['.repeat(200) + ']'.repeat(200)])(
    'is not read from %j',
    (text) => {
      expect(readJsonText(text)).toBeUndefined();
    },
  );
});
