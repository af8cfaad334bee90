import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FormSecret } from './configuration.ts';
import { type Headers, singleHeader } from './headers.ts';
import { LIMITS } from './limits.ts';
import { Rejection } from './reasons.ts';

/** The exact text of `X-SVC-Timestamp`, since that text is what was signed; checked against the server's clock. */
export function requireTimestamp(headers: Headers, nowMilliseconds: number): string {
  const header = singleHeader(headers, 'x-svc-timestamp');
  if (header === 'repeated') throw new Rejection('timestamp_invalid', { problem: 'sent more than once' });
  if (!header || header.value.trim() === '') throw new Rejection('timestamp_missing');
  const text = header.value;
  if (!/^\d+$/.test(text))
    throw new Rejection('timestamp_invalid', { problem: 'not a whole number of seconds' });
  const skewSeconds = Math.floor(nowMilliseconds / 1000) - Number(text);
  if (Math.abs(skewSeconds) > LIMITS.timestampToleranceSeconds) {
    throw new Rejection('timestamp_out_of_window', {
      skewSeconds: Number.isFinite(skewSeconds) ? skewSeconds : -1e15,
    });
  }
  return text;
}

/** HMAC-SHA256 over the timestamp as sent, a dot, and the body's bytes as sent; the secret is its UTF-8 text. */
export function signatureOf(secret: string, timestamp: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

export function requireSignature(headers: Headers): Buffer {
  const header = singleHeader(headers, 'x-svc-signature');
  if (header === 'repeated') throw new Rejection('signature_malformed', { problem: 'sent more than once' });
  const value = header?.value.trim() ?? '';
  if (value === '') throw new Rejection('signature_missing');
  const hex = (value.startsWith('sha256=') ? value.slice('sha256='.length) : value).toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hex)) throw new Rejection('signature_malformed', { length: value.length });
  return Buffer.from(hex, 'hex');
}

/** Replaces a missing secret, so that the work done reveals nothing. */
const DECOY = 'decoy-secret-that-signs-nothing';

/** Always two HMACs, whichever of the secrets exist, and no early end. */
export function matchingSecret(
  signature: Buffer,
  timestamp: string,
  body: Uint8Array,
  secrets: { current?: string | undefined; previous?: string | undefined },
): 'current' | 'previous' | undefined {
  const byCurrent = timingSafeEqual(signature, signatureOf(secrets.current ?? DECOY, timestamp, body));
  const byPrevious = timingSafeEqual(signature, signatureOf(secrets.previous ?? DECOY, timestamp, body));
  if (byCurrent && secrets.current !== undefined) return 'current';
  return byPrevious && secrets.previous !== undefined ? 'previous' : undefined;
}

/** The previous secret counts only while its grace lasts. */
export function secretsInForce(secret: FormSecret | undefined, nowMilliseconds: number) {
  const graceLasts = nowMilliseconds < (secret?.previousEndsAtMilliseconds ?? 0);
  return { current: secret?.secret, previous: graceLasts ? secret?.previousSecret : undefined };
}
