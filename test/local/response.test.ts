import { describe, expect, test } from '@jest/globals';
import { readResponse } from '../../local/gateway/rest-api.ts';

const read = (result: unknown) => readResponse(JSON.stringify(result));

test('passes status, headers and body on', () => {
  const answer = read({
    statusCode: 202,
    headers: { 'Content-Type': 'text/plain', 'X-On': true },
    body: 'ä',
  });
  expect(answer).toEqual({
    statusCode: 202,
    headers: [
      ['Content-Type', 'text/plain'],
      ['X-On', 'true'],
    ],
    body: Buffer.from('ä'),
  });
});

test('takes JSON for the type, 200 for the status and nothing for the body', () => {
  expect(read({})).toEqual({
    statusCode: 200,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.alloc(0),
  });
});

test('sends each value of a list of headers, which goes before the single one', () => {
  const { headers } = read({
    headers: { 'set-cookie': 'lost', 'Content-Type': 'a/b' },
    multiValueHeaders: { 'Set-Cookie': ['one', 'two'] },
  });
  expect(headers).toEqual([
    ['Set-Cookie', 'one'],
    ['Set-Cookie', 'two'],
    ['Content-Type', 'a/b'],
  ]);
});

test('decodes base64', () => {
  const { body } = read({ body: 'AP8Q', isBase64Encoded: true });
  expect(body).toEqual(Buffer.from([0, 255, 16]));
});

test("renames headers that are not a function's to set, and drops those of the connection", () => {
  const { headers } = read({
    headers: { 'Content-Type': 'a/b', 'Content-Length': '99', Date: 'x', 'Transfer-Encoding': 'chunked' },
  });
  expect(headers).toEqual([
    ['Content-Type', 'a/b'],
    ['x-amzn-Remapped-Content-Length', '99'],
    ['x-amzn-Remapped-Date', 'x'],
  ]);
});

describe('is no answer', () => {
  test.each<[string, unknown]>([
    ['null', null],
    ['text', 'ok'],
    ['a list', []],
    ['an unknown field', { statusCode: 200, cookies: [] }],
    ['a body that is an object', { body: {} }],
    ['a status that is no number', { statusCode: 'ok' }],
    ['a status out of range', { statusCode: 42 }],
    ['an informational status', { statusCode: 101 }],
    ['headers that are a list', { headers: [] }],
    ['a header that is an object', { headers: { a: {} } }],
    ['a header name with a blank', { headers: { 'a b': 'c' } }],
    ['a header with a line break', { headers: { a: 'b\r\nc: d' } }],
    ['values that are no list', { multiValueHeaders: { a: 'b' } }],
  ])('%s', (_, result) => {
    expect(() => read(result)).toThrow(expect.objectContaining({ type: 'DEFAULT_5XX' }));
  });

  test('a body that is not the base64 it claims to be', () => {
    expect(() => read({ body: 'not base64!', isBase64Encoded: true })).toThrow(
      expect.objectContaining({ type: 'API_CONFIGURATION_ERROR' }),
    );
  });
});
