import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { signatureVectors } from '#bin/make-signature-vectors.ts';
import { collectHeaders } from '#model/headers.ts';
import { parseJsonObject } from '#model/lead-body.ts';
import { LIMITS } from '#model/limits.ts';
import { matchingSecret, requireSignature, requireTimestamp, signatureOf } from '#model/request-signature.ts';
import { judgeSignedRequest } from '#submission/signed-request.ts';
import { type SignatureVector, serverTime, VECTORS_TEXT, vectors } from '#test/signature-vectors.ts';
import { anyText } from '../../any-text.ts';

// The vectors at the end have what is signed how, in which spelling, and how old it may be.

const NOW_SECONDS = 1_800_000_000;
const check = (sent: string | undefined, nowMilliseconds = NOW_SECONDS * 1000) =>
  requireTimestamp(collectHeaders({ 'x-svc-TIMESTAMP': sent }, null), nowMilliseconds);

describe('the timestamp', () => {
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
    [`+${NOW_SECONDS}`, 'timestamp_invalid'],
    [`${NOW_SECONDS}.0`, 'timestamp_invalid'],
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
const anySecret = anyText({ minLength: 1 });
const anyBody = fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes));
const anyTimestamp = fc.nat().map(String);

describe('the signature', () => {
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
    ['blank', '  ', 'signature_missing'],
    ['a bare prefix', 'sha256=', 'signature_malformed'],
    ['65 digits', 'a'.repeat(65), 'signature_malformed'],
    ['no hex', 'g'.repeat(64), 'signature_malformed'],
  ])('is refused when %s', (_, sent, reason) => {
    expect(() => requireSignature(headersWith(sent))).toThrow(
      expect.objectContaining({ reason }) as unknown as Error,
    );
  });

  test('is refused when sent twice', () => {
    const headers = collectHeaders(null, {
      'X-SVC-Signature': ['a'.repeat(64)],
      'x-svc-signature': ['b'.repeat(64)],
    });
    expect(() => requireSignature(headers)).toThrow('signature_malformed');
  });
});

function bodyOf({ bodyBase64, bodyRule }: SignatureVector): Buffer {
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, 'base64');
  if (!bodyRule) throw new Error('a vector without a body');
  const { start, repeat, times, end } = bodyRule;
  return Buffer.from(start + repeat.repeat(times) + end);
}

/** The verdict of the real verifier, for an active form with this secret. */
function verdictOf(vector: SignatureVector): string {
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

test.each(vectors)('the vector “$name” has the right signature and verdict', (vector) => {
  const message = Buffer.concat([Buffer.from(vector.timestamp), Buffer.from('.'), bodyOf(vector)]);
  const hex = createHmac('sha256', Buffer.from(vector.secret, 'utf8')).update(message).digest('hex');
  expect(vector.expected).toBe(hex);
  expect(verdictOf(vector)).toBe(vector.valid ? 'accepted' : vector.reason);
  // Invalid by its signature alone, or by its timestamp alone.
  const sent = vector.signature.replace(/^sha256=/, '').toLowerCase();
  expect(sent === vector.expected).toBe(vector.valid || vector.reason?.startsWith('timestamp_') === true);
  if (vector.bodyText !== undefined) expect(Buffer.from(vector.bodyText)).toEqual(bodyOf(vector));
});

test('says which bodies are rejected although the signature is valid', () => {
  for (const vector of vectors.filter(({ valid }) => valid)) {
    const parse = expect(() => parseJsonObject(bodyOf(vector)));
    if (vector.why.includes('is then rejected')) parse.toThrow('body_invalid_json');
    else parse.not.toThrow();
  }
});

test('the file is up to date (if not: npm run make:signature-vectors)', () => {
  expect(VECTORS_TEXT).toBe(`${JSON.stringify(signatureVectors(), null, 2)}\n`);
});

test('the largest body has the largest allowed size', () => {
  const largest = vectors.find(({ bodyRule }) => bodyRule);
  expect(largest && bodyOf(largest).length).toBe(LIMITS.bodyBytes);
});
