import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isSlug, makeSlug } from '#submission/ids.ts';
import { collectHeaders } from '#submission/request.ts';
import { bearerToken, hashToken, hasTokenChecksum, makeIngestToken } from '#submission/server-token.ts';

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

  test('differs whenever its randomness differs', () => {
    fc.assert(
      fc.property(anyRandom, anyRandom, (one, other) => {
        const same = Buffer.from(one).equals(Buffer.from(other));
        expect(makeIngestToken('server', one) === makeIngestToken('server', other)).toBe(same);
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
    ['Bearer ', 'token_missing'],
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

  test.each([
    '',
    '-a',
    'a-',
    'a b',
    'a/b',
    '..',
    '../x',
    'a\u0000',
    'é',
    'x'.repeat(101),
    'x'.repeat(2_000),
    'a\n',
  ])('is never %j', (text) => {
    expect(isSlug(text)).toBe(false);
  });
});
