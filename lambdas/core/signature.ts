import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Headers, singleHeader } from './headers.ts';
import { Rejection } from './rejection.ts';

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

/** A secret that signs nothing: it stands in where there is none, so that the work done tells nothing. */
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
