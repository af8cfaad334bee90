import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { base64DecodedBytes, rawBody } from '#submission/request.ts';

describe('the size of a body, from its base64 alone', () => {
  test.each([131_071, 131_072, 131_073])(
    'tells %i bytes exactly, though the base64 lengths are alike',
    (length) => {
      expect(base64DecodedBytes(Buffer.alloc(length).toString('base64'))).toBe(length);
    },
  );

  test('equals the decoded length for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(base64DecodedBytes(Buffer.from(bytes).toString('base64'))).toBe(bytes.length);
      }),
    );
  });
});

describe('a raw body', () => {
  test('gives back any bytes unchanged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(rawBody(Buffer.from(bytes).toString('base64'), true).bytes()).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test.each([
    ['no body', null],
    ['an empty body', ''],
  ])('takes %s for zero bytes', (_, text) => {
    const body = rawBody(text, true);
    expect(body.byteLength).toBe(0);
    expect(body.bytes()).toEqual(Buffer.alloc(0));
  });

  test.each(['eyJhIjox', 'eyJhIjoxfQ=', 'eyJh*joxfQ==', 'eyJhIjoxf'])(
    'has no bytes when the gateway hands over base64 that is cut or damaged: %s',
    (damaged) => {
      const whole = damaged === 'eyJhIjox';
      expect(rawBody(damaged, true).bytes() === undefined).toBe(!whole);
    },
  );

  test('measures plain text in UTF-8 bytes', () => {
    expect(rawBody('é€😀', false).byteLength).toBe(9);
  });
});
