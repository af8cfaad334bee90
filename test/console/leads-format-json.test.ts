import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatJson } from '../../console/src/pages/leads/detail/read-lead-body.ts';

test('is indented as JSON.stringify does it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const written = JSON.stringify(value);
      expect(formatJson(written)).toBe(JSON.stringify(JSON.parse(written), null, 2));
    }),
  );
});

test('numbers keep every digit, repeated keys stay, and strings are left as they were written', () => {
  const body =
    '{"n":12345678901234567890.10,"e":1E+2,"a":1,"a":2,"s":"{\\"x\\": [1,\\u00e9]}  , ","__proto__":null}';
  const formatted = formatJson(body);
  expect(formatted).toContain('"n": 12345678901234567890.10,');
  expect(formatted).toContain('"e": 1E+2,');
  expect(formatted).toContain('"a": 1,\n  "a": 2,');
  expect(formatted).toContain('"s": "{\\"x\\": [1,\\u00e9]}  , "');
});

test('formatting deeply nested JSON adds little', () => {
  const deep = `{"d":${'['.repeat(60_000)}${']'.repeat(60_000)}}`;
  const formatted = formatJson(deep);
  expect(formatted.length).toBeLessThan(deep.length + 10_000);
  expect(formatted.replaceAll(/\s/g, '')).toBe(deep);
});

test('a long string of escapes is one token', () => {
  const body = JSON.stringify({ text: '"\\\n'.repeat(20_000) });
  expect(JSON.parse(formatJson(body))).toEqual(JSON.parse(body));
});
