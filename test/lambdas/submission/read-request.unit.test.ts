import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isSlug, makeSlug } from '#model/configuration.ts';
import { collectHeaders } from '#model/headers.ts';
import { hashToken, hasTokenChecksum, makeIngestToken } from '#model/ingest-token.ts';
import { parseJsonObject } from '#model/lead-body.ts';
import { bearerToken } from '#submission/server-token.ts';
import { base64DecodedBytes, rawBody } from '#submission/submission.ts';

describe('the size of a body, from its base64 alone', () => {
  test.each([131_071, 131_072, 131_073])(
    'is exact for %i bytes, although the base64 lengths are equal',
    (length) => {
      expect(base64DecodedBytes(Buffer.alloc(length).toString('base64'))).toBe(length);
    },
  );
});

describe('a raw body', () => {
  test('returns any bytes unchanged', () => {
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
    'has no bytes if the base64 is cut or damaged: %s',
    (damaged) => {
      const whole = damaged === 'eyJhIjox';
      expect(rawBody(damaged, true).bytes() === undefined).toBe(!whole);
    },
  );

  test('measures plain text in UTF-8 bytes', () => {
    expect(rawBody('é€😀', false).byteLength).toBe(9);
  });
});

describe('the body', () => {
  test('keeps the text of any JSON object exactly', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat({ max: 4 }), (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        const parsed = parseJsonObject(Buffer.from(text));
        expect(parsed.text).toBe(text);
        expect(JSON.stringify(parsed.fields)).toBe(JSON.stringify(object));
      }),
    );
  });

  test('keeps __proto__ as data', () => {
    const { fields } = parseJsonObject(Buffer.from('{"__proto__":{"admin":true}}'));
    expect(Object.keys(fields)).toEqual(['__proto__']);
    expect((fields as { admin?: boolean }).admin).toBeUndefined();
  });

  test.each([
    ['nothing', '', 'empty'],
    ['blanks', ' \n', 'empty'],
    ['a cut object', '{"a":1', 'not JSON'],
    ['a byte order mark', '\uFEFF{}', 'byte order mark'],
    ['two objects', '{}{}', 'not JSON'],
    ['a trailing comma', '{"a":1,}', 'not JSON'],
  ])('refuses %s as invalid JSON, and says why', (_, text, problem) => {
    const rejection = { reason: 'body_invalid_json', detail: { problem } };
    expect(() => parseJsonObject(Buffer.from(text))).toThrow(expect.objectContaining(rejection));
  });

  test('is invalid JSON if its base64 is damaged', () => {
    expect(() => parseJsonObject(undefined)).toThrow('body_invalid_json');
  });
});

const anyRandom = fc.uint8Array({ minLength: 32, maxLength: 32 });
const presented = (authorization: string) =>
  bearerToken(collectHeaders({ Authorization: authorization }, null));

describe('an ingest token', () => {
  test('is a prefix, 43 characters of base62 and a checksum of 6', () => {
    fc.assert(
      fc.property(anyRandom, (random) => {
        const token = makeIngestToken('server', random);
        expect(token).toMatch(/^ingt_srv_[0-9A-Za-z]{49}$/);
        expect(hasTokenChecksum(token)).toBe(true);
      }),
    );
  });

  test('fails its checksum when a character is mistyped', () => {
    fc.assert(
      fc.property(anyRandom, fc.nat({ max: 42 }), (random, at) => {
        const token = makeIngestToken('server', random);
        const place = 'ingt_srv_'.length + at;
        const typo = token[place] === 'x' ? 'y' : 'x';
        expect(hasTokenChecksum(token.slice(0, place) + typo + token.slice(place + 1))).toBe(false);
      }),
    );
  });

  test('is stored as its SHA-256', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  test.each(['Bearer t0ken', 'bearer t0ken', 'BEARER   t0ken', '  Bearer t0ken '])(
    'is read from %j',
    (header) => {
      expect(presented(header)).toBe('t0ken');
    },
  );

  test.each([
    ['', 'token_missing'],
    ['Bearer', 'token_missing'],
    ['Basic dXNlcjpwYXNz', 'token_invalid'],
    ['Bearer two tokens', 'token_invalid'],
    ['Bearertoken', 'token_invalid'],
    [`Bearer ${'x'.repeat(8192)}`, 'token_invalid'],
  ])('is not read from %j: %s', (header, reason) => {
    expect(() => presented(header)).toThrow(reason);
  });

  test('is missing without a header and invalid with two', () => {
    expect(() => bearerToken(collectHeaders(null, null))).toThrow('token_missing');
    const twice = collectHeaders(null, { authorization: ['Bearer a', 'Bearer a'] });
    expect(() => bearerToken(twice)).toThrow('token_invalid');
  });
});

describe('a slug', () => {
  test.each([
    ['Contact us!', 'contact-us-5af3'],
    ['Über uns', 'uber-uns-5af3'],
    ['お問い合わせ', 'form-5af3'],
    ['  -- ', 'form-5af3'],
    ['x'.repeat(90), `${'x'.repeat(40)}-5af3`],
  ])('made from %j is %s', (name, slug) => {
    expect(makeSlug(name, '5af3')).toBe(slug);
    expect(isSlug(slug)).toBe(true);
  });

  test.each(['', '-a', 'a-', 'a b', 'a/b', 'a\u0000', 'é', 'x'.repeat(101), 'a\n'])('is never %j', (text) => {
    expect(isSlug(text)).toBe(false);
  });
});
