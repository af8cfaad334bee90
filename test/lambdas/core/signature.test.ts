import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { collectHeaders } from '#submission/request.ts';
import { matchingSecret, requireSignature, signatureOf } from '#submission/signed-request.ts';

const headersWith = (signature: string) => collectHeaders({ 'X-SVC-Signature': signature }, null);
const anySecret = fc.string({ minLength: 1, unit: 'binary' });
const anyBody = fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes));
const anyTimestamp = fc.nat().map(String);

describe('the signature', () => {
  test('is HMAC-SHA256 over timestamp, dot and bytes, with the secret as its UTF-8 text', () => {
    fc.assert(
      fc.property(anySecret, anyTimestamp, anyBody, (secret, timestamp, body) => {
        const expected = createHmac('sha256', Buffer.from(secret, 'utf8'))
          .update(Buffer.concat([Buffer.from(`${timestamp}.`), body]))
          .digest('hex');
        expect(signatureOf(secret, timestamp, body).toString('hex')).toBe(expected);
      }),
    );
  });

  test('matches with and without prefix, in either case of hex', () => {
    fc.assert(
      fc.property(anySecret, anyTimestamp, anyBody, (current, timestamp, body) => {
        const hex = signatureOf(current, timestamp, body).toString('hex');
        for (const sent of [hex, hex.toUpperCase(), `sha256=${hex}`, `sha256=${hex.toUpperCase()}`]) {
          const signature = requireSignature(headersWith(sent));
          expect(matchingSecret(signature, timestamp, body, { current })).toBe('current');
        }
      }),
    );
  });

  test('no longer matches when one bit of the body, the timestamp or the secret is another', () => {
    fc.assert(
      fc.property(anySecret, anyTimestamp, anyBody, fc.nat(), (current, timestamp, body, at) => {
        const signature = signatureOf(current, timestamp, body);
        const tampered = Buffer.concat([body, Buffer.from([0])]);
        if (body.length > 0) tampered[at % body.length] = (tampered[at % body.length] as number) ^ 1;
        expect(matchingSecret(signature, timestamp, tampered, { current })).toBeUndefined();
        expect(matchingSecret(signature, `${timestamp}0`, body, { current })).toBeUndefined();
        expect(matchingSecret(signature, timestamp, body, { current: `${current}x` })).toBeUndefined();
      }),
    );
  });

  test('matches the previous secret only where one is given, and nothing where none is', () => {
    const body = Buffer.from('{}');
    const signature = signatureOf('old', '1', body);
    expect(matchingSecret(signature, '1', body, { current: 'new', previous: 'old' })).toBe('previous');
    expect(matchingSecret(signature, '1', body, { current: 'new' })).toBeUndefined();
    expect(matchingSecret(signature, '1', body, {})).toBeUndefined();
  });

  test.each([
    ['absent', undefined, 'signature_missing'],
    ['blank', '  ', 'signature_missing'],
    ['a bare prefix', 'sha256=', 'signature_malformed'],
    ['an upper-case prefix', `SHA256=${'a'.repeat(64)}`, 'signature_malformed'],
    ['63 digits', 'a'.repeat(63), 'signature_malformed'],
    ['65 digits', 'a'.repeat(65), 'signature_malformed'],
    ['no hex', 'g'.repeat(64), 'signature_malformed'],
    ['base64', Buffer.alloc(32).toString('base64'), 'signature_malformed'],
  ])('is refused when %s', (_, sent, reason) => {
    const headers = sent === undefined ? collectHeaders({}, null) : headersWith(sent);
    expect(() => requireSignature(headers)).toThrow(expect.objectContaining({ reason }) as unknown as Error);
  });

  test('is refused when sent twice', () => {
    const headers = collectHeaders(null, {
      'X-SVC-Signature': ['a'.repeat(64)],
      'x-svc-signature': ['b'.repeat(64)],
    });
    expect(() => requireSignature(headers)).toThrow('signature_malformed');
  });
});
