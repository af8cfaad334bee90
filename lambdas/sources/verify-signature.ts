import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Headers, singleHeader } from '../model/headers.ts';
import { LIMITS } from '../model/limits.ts';
import type { Reason, RejectionDetail } from '../model/reasons.ts';
import { PROVIDERS, type Provider, type SignatureForm } from './providers.ts';

export interface SignedDelivery {
  readonly headers: Headers;
  /** As sent: a body that was parsed and written again has another signature. */
  readonly body: Uint8Array;
  readonly nowMilliseconds: number;
}

/** The previous one also after its grace: the caller tells what it proves. */
export interface SourceSecrets {
  readonly current?: string | undefined;
  readonly previous?: string | undefined;
}

interface Verified {
  readonly secret: 'current' | 'previous';
  /** Absent if the provider signs no ID outside the body. */
  readonly deliveryId?: string | undefined;
  /** Absent if the provider signs no time of sending. */
  readonly sentAtMilliseconds?: number | undefined;
  readonly skewSeconds?: number | undefined;
}

interface Refused {
  readonly reason: Reason;
  readonly detail: RejectionDetail;
  /** Set if the signature is right. */
  readonly secret?: Verified['secret'] | undefined;
}

export type Verification = Verified | Refused;

const MAX_SIGNATURES = 8;

/** Replaces a missing secret, so that the work done reveals nothing. Base64, as some providers need it. */
export const DECOY_SECRET = 'decoySecretThatSignsNothingButTakesAsLongAs';

/** The row for a slug that does not exist: the one whose secret the sender claims to have. */
export function decoyProvider(headers: Headers): Provider {
  return providerIn(headers) ?? (PROVIDERS.get('typeform') as Provider);
}

/** The provider whose signature came instead of the expected one. */
export function looksLike(headers: Headers, expected: Provider): Provider | undefined {
  return headers.has(expected.signature.header.toLowerCase()) ? undefined : providerIn(headers);
}

function providerIn(headers: Headers): Provider | undefined {
  return [...PROVIDERS.values()].find(({ signature }) => headers.has(signature.header.toLowerCase()));
}

/**
 * Always two HMACs over the whole body, whatever the headers say and whichever secrets exist, and no early end. Age is
 * judged last, so that only authentic requests are called old.
 */
export function verifySignature(
  provider: Provider,
  { headers, body, nowMilliseconds }: SignedDelivery,
  secrets: SourceSecrets,
): Verification {
  const { signatures, parts, refused } = readHeaders(provider, headers);
  const signedBy = (secret: string | undefined) => {
    const digest = digestOf(provider, secret ?? DECOY_SECRET, parts, body);
    const matches = matchesAny(signatures, digest);
    return matches && secret !== undefined;
  };
  const byCurrent = signedBy(secrets.current);
  const byPrevious = signedBy(secrets.previous);
  if (refused) return refused;
  if (!byCurrent && !byPrevious) return { reason: 'signature_mismatch', detail: {} };

  const secret = byCurrent ? 'current' : 'previous';
  const { time, deliveryId } = provider;
  const id = deliveryId && 'header' in deliveryId ? { deliveryId: parts.get(deliveryId.header) } : {};
  if (!time) return { secret, ...id };
  const sentAtMilliseconds = Number(parts.get(time.in)) * (time.unit === 's' ? 1000 : 1);
  const skewSeconds = Math.floor((nowMilliseconds - sentAtMilliseconds) / 1000);
  if (skewSeconds > time.maxAgeSeconds || skewSeconds < -LIMITS.timestampToleranceSeconds) {
    return { reason: 'timestamp_out_of_window', detail: { skewSeconds }, secret };
  }
  return { secret, ...id, sentAtMilliseconds, skewSeconds };
}

/** What a message is made of, in turn: literal text, then a name in braces, then text again. */
const PLACEHOLDER = /\{([\w-]+)\}/;

/** Over the message that the row describes, with the parts of it that are not the body. */
export function digestOf(
  { signature, secret: { key } }: Provider,
  secret: string,
  parts: ReadonlyMap<string, string>,
  body: Uint8Array,
): Buffer {
  // Decoded by the HMAC itself: a key in a Buffer takes measurably longer than a text.
  const hmac =
    key === 'base64'
      ? createHmac('sha256', withoutPrefix(secret), { encoding: 'base64' })
      : createHmac('sha256', secret, { encoding: 'utf8' });
  for (const [at, piece] of signature.message.split(PLACEHOLDER).entries()) {
    if (at % 2 === 0) hmac.update(piece);
    else hmac.update(piece === 'body' ? body : (parts.get(piece) ?? ''));
  }
  return hmac.digest();
}

export function withoutPrefix(secret: string): string {
  return secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret;
}

function matchesAny(signatures: readonly Buffer[], digest: Buffer): boolean {
  let found = false;
  for (const signature of signatures) found = timingSafeEqual(signature, digest) || found;
  return found;
}

interface ReadHeaders {
  readonly signatures: readonly Buffer[];
  /** The signed headers by name, and `t`. */
  readonly parts: ReadonlyMap<string, string>;
  readonly refused?: Refused | undefined;
}

/** Reads all there is even if something is wrong: the first thing found wrong counts. */
function readHeaders(provider: Provider, headers: Headers): ReadHeaders {
  const parts = new Map<string, string>();
  let refused: Refused | undefined;
  const refuse = (reason: Reason, detail: RejectionDetail) => {
    refused ??= { reason, detail };
  };
  const { header, form, ifUnsigned, message } = provider.signature;

  const sent = singleHeader(headers, header.toLowerCase());
  const value = sent === 'repeated' ? '' : (sent?.value.trim() ?? '');
  const split = splitSignatures(form, value);
  const signatures = split.signatures.flatMap((text) => decode(text, provider.signature.encoding));
  if (sent === 'repeated') refuse('signature_malformed', { header, problem: 'sent more than once' });
  else if (value === '') refuse('signature_missing', { header });
  else if (value === ifUnsigned) refuse('signature_malformed', { problem: 'no secret set at the provider' });
  else if (signatures.length === 0) refuse('signature_malformed', { header, length: value.length });

  for (const [, name = ''] of message.matchAll(/\{([\w-]+)\}/g)) {
    if (name === 'body') continue;
    const isTime = provider.time?.in === name;
    const part = name === 't' ? split.time : singleHeader(headers, name.toLowerCase());
    const text = part === 'repeated' ? '' : (part?.value ?? '');
    parts.set(name, text);
    const detail = { header: name === 't' ? header : name };
    if (part === 'repeated') {
      const reason = isTime ? 'timestamp_invalid' : 'signature_malformed';
      refuse(reason, { ...detail, problem: 'sent more than once' });
    } else if (text === '') refuse(isTime ? 'timestamp_missing' : 'signature_missing', detail);
    else if (isTime && !TIME.test(text)) refuse('timestamp_invalid', detail);
    else if (!isTime && !ID.test(text)) refuse('signature_malformed', detail);
  }
  return { signatures, parts, refused };
}

const TIME = /^\d{1,16}$/;
/** Without white space: Framer's message has no separator, and a blank could be moved from the body to the ID. */
const ID = /^[\x21-\x7e]{1,255}$/;

interface Split {
  readonly signatures: readonly string[];
  readonly time?: { readonly value: string } | 'repeated' | undefined;
}

function splitSignatures(form: SignatureForm, value: string): Split {
  switch (form) {
    case 'plain':
      return { signatures: [value] };
    case 'sha256=':
      return { signatures: startingWith(form, [value]) };
    case 'v1,':
      return { signatures: startingWith(form, value.split(' ')) };
    case 't=,v1=': {
      const pairs = value.split(',').map((pair) => pair.trim());
      const [first, ...others] = startingWith('t=', pairs);
      const time = others.length > 0 ? 'repeated' : first === undefined ? undefined : { value: first };
      return { signatures: startingWith('v1=', pairs), time };
    }
  }
}

function startingWith(prefix: string, texts: readonly string[]): string[] {
  const found = texts.filter((text) => text.startsWith(prefix)).slice(0, MAX_SIGNATURES);
  return found.map((text) => text.slice(prefix.length));
}

const DIGEST = { hex: /^[0-9a-f]{64}$/i, base64: /^[A-Za-z0-9+/]{43}=$/ } as const;

/** Nothing for a text that is no SHA-256: only digests of equal length can be compared in constant time. */
function decode(text: string, encoding: 'hex' | 'base64'): Buffer[] {
  return DIGEST[encoding].test(text) ? [Buffer.from(text, encoding)] : [];
}
