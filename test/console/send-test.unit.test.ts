import { describe, expect, test } from '@jest/globals';
import { isSample, readBody } from '../../console/src/pages/send-test/send-test.ts';
import { readTestLead } from '../../lambdas/workspaces/delivery-routes.ts';
import { sampleLead } from '../../lambdas/workspaces/sample-lead.ts';

describe('the body of a test', () => {
  test.each([
    ['{"a":1,}', /line 1, column 8/],
    ['{\n  "a": 1\n  "b": 2\n}', /line 3, column 3/],
    ['{"a":', /missing bracket or quote at the end/],
    ['', /Invalid JSON/],
    ['[]', /one JSON object/],
    ['null', /one JSON object/],
    ['"text"', /one JSON object/],
    ['{"_test":false}', /Remove _test/],
  ])('is refused before it is sent: %j', (text, problem) => {
    expect(readBody(text).problem).toMatch(problem);
  });

  test.each(['{}', '{"a":1}', ' {"_test":true} ', JSON.stringify(sampleLead()), '{"__proto__":"x"}'])(
    'is taken: %s',
    (text) => {
      expect(readBody(text)).toEqual({ body: JSON.parse(text) });
    },
  );

  test('is the sample only if it is unchanged', () => {
    const fields = [{ key: 'mail', role: 'email' as const }];
    expect(isSample(readBody(JSON.stringify(sampleLead(fields), null, 2)).body, fields)).toBe(true);
    expect(isSample({ ...sampleLead(fields), mail: 'ada@engines.co.uk' }, fields)).toBe(false);
    expect(isSample(undefined, fields)).toBe(false);
  });

  test('is refused if it is too large', () => {
    expect(readBody(JSON.stringify({ a: 'é'.repeat(66_000) })).problem).toMatch(/132,021 bytes/);
  });

  test('is measured like in the service', () => {
    const fill = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - '{"a":"","_test":true}'.length) });
    for (const bytes of [131_072, 131_073]) {
      const { body } = readBody(fill(bytes));
      const taken = () => readTestLead({ body: JSON.parse(fill(bytes)) });
      if (body) expect(Buffer.byteLength(taken() ?? '')).toBe(131_072);
      else expect(taken).toThrow();
    }
    expect(readBody(fill(131_072)).body).toBeDefined();
    expect(readBody(fill(131_073)).problem).toBeDefined();
  });
});
