import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { signatureVectors } from '#bin/make-signature-vectors.ts';
import { collectHeaders } from '#model/headers.ts';
import { parseJsonObject } from '#model/lead-body.ts';
import { LIMITS } from '#model/limits.ts';
import { matchingSecret, requireSignature, requireTimestamp, signatureOf } from '#model/request-signature.ts';
import { judgeSignedRequest } from '#submission/signed-request.ts';

const NOW_SECONDS = 1_800_000_000;
const check = (sent: string | undefined, nowMilliseconds = NOW_SECONDS * 1000) =>
  requireTimestamp(collectHeaders({ 'x-svc-TIMESTAMP': sent }, null), nowMilliseconds);

describe('the timestamp', () => {
  test.each([0, 300, -300, 299])('is accepted %i seconds from now, and returned as sent', (skew) => {
    expect(check(String(NOW_SECONDS - skew))).toBe(String(NOW_SECONDS - skew));
  });

  test('keeps leading zeros, since the text is what was signed', () => {
    expect(check(`00${NOW_SECONDS}`)).toBe(`00${NOW_SECONDS}`);
  });

  test.each([301, -301])('is out of the window %i seconds from now', (skew) => {
    expect(() => check(String(NOW_SECONDS - skew))).toThrow(
      expect.objectContaining({
        reason: 'timestamp_out_of_window',
        detail: { skewSeconds: skew },
      }) as unknown as Error,
    );
  });

  test.each([String(NOW_SECONDS * 1000), '9'.repeat(400), '0'])('is out of the window as %s', (sent) => {
    expect(() => check(sent)).toThrow('timestamp_out_of_window');
  });

  test('counts whole seconds of the server clock', () => {
    expect(() => check(String(NOW_SECONDS - 300), NOW_SECONDS * 1000 + 999)).not.toThrow();
  });

  test.each([
    [undefined, 'timestamp_missing'],
    ['', 'timestamp_missing'],
    ['now', 'timestamp_invalid'],
    ['-5', 'timestamp_invalid'],
    [`+${NOW_SECONDS}`, 'timestamp_invalid'],
    [`${NOW_SECONDS}.0`, 'timestamp_invalid'],
    ['1.8e9', 'timestamp_invalid'],
    ['0x6b49d200', 'timestamp_invalid'],
    ['١٨٠٠٠٠٠٠٠٠', 'timestamp_invalid'],
  ])('is refused as %j: %s', (sent, reason) => {
    expect(() => check(sent)).toThrow(reason);
  });

  test('is refused when sent twice', () => {
    const headers = collectHeaders(null, { 'x-svc-timestamp': [String(NOW_SECONDS), String(NOW_SECONDS)] });
    expect(() => requireTimestamp(headers, NOW_SECONDS * 1000)).toThrow('timestamp_invalid');
  });
});

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

  test('does not match if one bit of the body, the timestamp or the secret differs', () => {
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

  test('matches the previous secret only if there is one, and nothing without secrets', () => {
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

interface Vector {
  readonly name: string;
  readonly valid: boolean;
  readonly reason?: string;
  readonly why: string;
  readonly secret: string;
  readonly timestamp: string;
  readonly bodyBase64?: string;
  readonly bodyText?: string;
  readonly bodyRule?: { start: string; repeat: string; times: number; end: string };
  readonly signature: string;
  readonly expected: string;
}

const FILE = resolve(import.meta.dirname, '../../../docs/api/signature-vectors.json');
const text = readFileSync(FILE, 'utf8');
const { serverTime, vectors } = JSON.parse(text) as { serverTime: number; vectors: Vector[] };

function bodyOf({ bodyBase64, bodyRule }: Vector): Buffer {
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, 'base64');
  if (!bodyRule) throw new Error('a vector without a body');
  const { start, repeat, times, end } = bodyRule;
  return Buffer.from(start + repeat.repeat(times) + end);
}

/** The verdict of the real verifier, for an active form with this secret. */
function verdictOf(vector: Vector): string {
  const form = { slug: 'contact', formId: 'form_1', workspaceId: 'ws_1', active: true };
  const { rejection } = judgeSignedRequest(
    {
      forms: [form],
      secrets: [{ slug: 'contact', formId: 'form_1', secret: vector.secret }],
      workspace: { workspaceId: 'ws_1', status: 'active', configVersion: 1 },
    },
    {
      headers: collectHeaders(
        { 'X-SVC-Timestamp': vector.timestamp, 'X-SVC-Signature': vector.signature },
        null,
      ),
      body: bodyOf(vector),
      nowMilliseconds: serverTime * 1000,
    },
  );
  return rejection?.reason ?? 'accepted';
}

describe.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_name, vector) => {
  test('expects the signature that Node computes', () => {
    const message = Buffer.concat([Buffer.from(vector.timestamp), Buffer.from('.'), bodyOf(vector)]);
    const hex = createHmac('sha256', Buffer.from(vector.secret, 'utf8')).update(message).digest('hex');
    expect(vector.expected).toBe(hex);
  });

  test('gets the expected verdict', () => {
    expect(verdictOf(vector)).toBe(vector.valid ? 'accepted' : vector.reason);
  });

  test('is invalid by its signature alone, or by its timestamp alone', () => {
    const sent = vector.signature.replace(/^sha256=/, '').toLowerCase();
    expect(sent === vector.expected).toBe(vector.valid || vector.reason?.startsWith('timestamp_') === true);
  });

  test('shows the same body as bytes and as text', () => {
    if (vector.bodyText !== undefined) expect(Buffer.from(vector.bodyText)).toEqual(bodyOf(vector));
  });
});

test('says which bodies are rejected although the signature is valid', () => {
  for (const vector of vectors.filter(({ valid }) => valid)) {
    const parse = expect(() => parseJsonObject(bodyOf(vector)));
    if (vector.why.includes('is then rejected')) parse.toThrow('body_invalid_json');
    else parse.not.toThrow();
  }
});

test('the file is up to date (if not: npm run make:signature-vectors)', () => {
  expect(text).toBe(`${JSON.stringify(signatureVectors(), null, 2)}\n`);
});

test('there are enough of both kinds, with unique names', () => {
  expect(vectors.filter(({ valid }) => valid).length).toBeGreaterThanOrEqual(20);
  expect(vectors.filter(({ valid }) => !valid).length).toBeGreaterThanOrEqual(10);
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
});

test('the largest body has the largest allowed size', () => {
  const largest = vectors.find(({ bodyRule }) => bodyRule);
  expect(largest && bodyOf(largest).length).toBe(LIMITS.bodyBytes);
});
