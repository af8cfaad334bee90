import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { UsageFailure } from '../../operator/failure.ts';

const PREFIX = 'whsec_';
/** What Standard Webhooks allows. */
const KEY_BYTES = { least: 24, most: 64 };
const TOLERANCE_SECONDS = 5 * 60;

/** A webhook secret of a form has the same prefix, but it is no base64: its text is the key. */
const FORM_SECRET = /^whsec_[0-9A-Za-z]{43}$/;

/** The key of a destination's signing secret. No error repeats the secret. */
export function readSigningKey(secret: string): Buffer {
  if (FORM_SECRET.test(secret)) {
    throw new UsageFailure(
      "This looks like a form's webhook secret, which senders sign leads with. Pass the destination's signing secret, which ends with =.",
    );
  }
  const base64 = secret.slice(PREFIX.length);
  const key = Buffer.from(base64, 'base64');
  const isWhole = key.toString('base64') === base64;
  if (!secret.startsWith(PREFIX) || !isWhole || key.length < KEY_BYTES.least || key.length > KEY_BYTES.most) {
    throw new UsageFailure(
      `Not a signing secret. Pass the secret that was shown when the destination was created or its secret was rotated: ${PREFIX} and base64.`,
    );
  }
  return key;
}

/** Why a message is not genuine, as a sentence; undefined if it is. */
export function problemOf(
  headers: IncomingHttpHeaders,
  body: Buffer,
  key: Buffer,
  nowMilliseconds: number,
): string | undefined {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
  const missing = names.filter((name) => !headers[name]);
  if (missing.length > 0) return `Missing headers: ${missing.join(', ')}.`;
  const [id, timestamp, signatures] = names.map((name) => String(headers[name])) as [string, string, string];
  if (!/^\d{1,15}$/.test(timestamp)) return 'webhook-timestamp is not a time in seconds.';
  const ageSeconds = Math.floor(nowMilliseconds / 1000) - Number(timestamp);
  if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) {
    const side = ageSeconds > 0 ? 'in the past' : 'in the future';
    return `webhook-timestamp is ${Math.abs(ageSeconds)} seconds ${side}; ${TOLERANCE_SECONDS} are allowed. Check the clock.`;
  }
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  const matches = signatures.split(' ').map((each) => isSignature(each, expected));
  if (matches.includes(true)) return undefined;
  return "The signature doesn't match. Check that --secret is the signing secret of this destination.";
}

function isSignature(text: string, expected: Buffer): boolean {
  if (!text.startsWith('v1,')) return false;
  const given = Buffer.from(text.slice(3), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
