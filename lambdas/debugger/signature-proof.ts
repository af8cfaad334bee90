import type { Headers } from '../model/headers.ts';
import { type Reason, Rejection } from '../model/reasons.ts';
import { matchingSecret, requireSignature, requireTimestamp } from '../model/request-signature.ts';
import type { MistakeName } from './mistakes.ts';

export type Algorithm = 'sha256' | 'sha1' | 'sha384' | 'sha512' | 'md5';

/** What the sender of a signature header may have meant. The mistakes apply only if the digest then matches. */
export interface ReadSignature {
  readonly digest: Buffer;
  readonly algorithm: Algorithm;
  readonly mistakes: readonly MistakeName[];
}

const ALGORITHM_BY_BYTES: Readonly<Record<number, Algorithm>> = {
  16: 'md5',
  20: 'sha1',
  32: 'sha256',
  48: 'sha384',
  64: 'sha512',
};

/** One reading is enough: a digest that happens to look like another encoding is rarer than a collision. */
export function readSignature(text: string | undefined): ReadSignature | undefined {
  const { value, mistakes } = unwrap(text?.trim() ?? '');
  const decoded = decodeSeparated(value) ?? decodeHex(value) ?? decodeBase64(value);
  const algorithm = decoded && ALGORITHM_BY_BYTES[decoded.bytes.length];
  if (!decoded || !algorithm) return undefined;
  const found = [...mistakes, ...decoded.mistakes];
  if (algorithm !== 'sha256') found.push(`algorithm_${algorithm}`);
  return { digest: decoded.bytes, algorithm, mistakes: found };
}

/** Python prints bytes as b'…'. */
const QUOTED = /^b?(["'`])(.*)\1$/s;
const WITH_TIMESTAMP = /^t=\d+,(?:.*,)?v\d=([^,\s]+)/;
/** Requires enough characters after it, so that base64 padding is not mistaken for the end of a prefix. */
const PREFIX = /^(?:0x|[a-z][\w-]{0,19}(?:\s*[=:,]\s*|\s+))(?=.{22,}$)/i;
/** The prefix that the service strips, and the same for other algorithms. */
const HARMLESS_PREFIX = /^(?:sha256|sha1|sha384|sha512|md5)=$/;

/** Removes what surrounds the value, at most three layers, as in `sha256="…"`. */
function unwrap(text: string): { value: string; mistakes: MistakeName[] } {
  const mistakes: MistakeName[] = [];
  let value = text;
  for (let layer = 0; layer < 3; layer += 1) {
    if (SEPARATED.test(value)) break;
    const quoted = QUOTED.exec(value)?.[2];
    const beside = WITH_TIMESTAMP.exec(value)?.[1];
    const prefix = PREFIX.exec(value)?.[0];
    if (quoted !== undefined) {
      mistakes.push('signature_quoted');
      value = quoted.trim();
    } else if (beside !== undefined) {
      mistakes.push('signature_with_timestamp');
      value = beside;
    } else if (prefix !== undefined) {
      if (!HARMLESS_PREFIX.test(prefix)) mistakes.push('signature_prefix_unknown');
      value = value.slice(prefix.length).trim();
    } else break;
  }
  return { value, mistakes };
}

interface Decoded {
  readonly bytes: Buffer;
  readonly mistakes: readonly MistakeName[];
}

const SEPARATED = /^[0-9a-f]{2}(?:([-: ])[0-9a-f]{2})(?:\1[0-9a-f]{2}){14,62}$/i;

function decodeSeparated(value: string): Decoded | undefined {
  if (!SEPARATED.test(value)) return undefined;
  return { bytes: Buffer.from(value.replace(/[-: ]/g, ''), 'hex'), mistakes: ['signature_hex_separated'] };
}

function decodeHex(value: string): Decoded | undefined {
  if (!/^(?:[0-9a-f]{2})+$/i.test(value)) return undefined;
  const bytes = Buffer.from(value, 'hex');
  const inner = hexInside(bytes);
  if (inner) return { bytes: inner, mistakes: ['signature_hex_twice'] };
  return ALGORITHM_BY_BYTES[bytes.length] ? { bytes, mistakes: [] } : undefined;
}

function decodeBase64(value: string): Decoded | undefined {
  if (!/^[\w+/-]+={0,2}$/.test(value)) return undefined;
  const bytes = Buffer.from(value, 'base64');
  const inner = hexInside(bytes);
  if (inner) return { bytes: inner, mistakes: ['signature_base64_of_hex'] };
  return { bytes, mistakes: [/[-_]/.test(value) ? 'signature_base64url' : 'signature_base64'] };
}

function hexInside(bytes: Buffer): Buffer | undefined {
  const text = bytes.toString('latin1');
  if (!ALGORITHM_BY_BYTES[text.length / 2] || !/^[0-9a-f]+$/i.test(text)) return undefined;
  return Buffer.from(text, 'hex');
}

/** A request as it was sent: the headers' texts, or `undefined` for one that was not sent, and the body's bytes. */
export interface SignedInput {
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  readonly body: Uint8Array;
}

export interface FormSecrets {
  readonly current?: string | undefined;
  readonly previous?: { readonly secret: string; readonly endsAtMilliseconds: number } | undefined;
}

export interface Decided {
  readonly decision: 'accepted' | Reason;
  readonly acceptedBy?: 'current' | 'previous';
  readonly skewSeconds?: number;
}

/** The service's verdict on the proof, from the service's own rules, so that the two cannot differ. */
export function decide(input: SignedInput, secrets: FormSecrets, nowMilliseconds: number): Decided {
  const { current } = secrets;
  if (current === undefined) return { decision: 'secret_not_configured' };
  try {
    const headers = headersOf(input);
    const timestamp = requireTimestamp(headers, nowMilliseconds);
    const signature = requireSignature(headers);
    const previous = graceLasts(secrets, nowMilliseconds) ? secrets.previous?.secret : undefined;
    const acceptedBy = matchingSecret(signature, timestamp, input.body, { current, previous });
    if (acceptedBy) return { decision: 'accepted', acceptedBy };
    return { decision: 'signature_mismatch' };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const skewSeconds = error.detail.skewSeconds;
    return { decision: error.reason, ...(typeof skewSeconds === 'number' && { skewSeconds }) };
  }
}

export function graceLasts({ previous }: FormSecrets, nowMilliseconds: number): boolean {
  return nowMilliseconds < (previous?.endsAtMilliseconds ?? 0);
}

function headersOf({ timestamp, signature }: SignedInput): Headers {
  return new Map([
    ['x-svc-timestamp', timestamp === undefined ? [] : [timestamp]],
    ['x-svc-signature', signature === undefined ? [] : [signature]],
  ]);
}
