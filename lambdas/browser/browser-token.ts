import { createHmac, timingSafeEqual } from 'node:crypto';

/** One of the service's keys. The first of a list signs; all of them verify. */
export interface SigningKey {
  readonly keyId: string;
  readonly secret: Uint8Array;
}

/** What a token says in clear text. Nothing of it is proved before `checkBrowserToken`. */
export interface BrowserToken {
  readonly keyId: string;
  readonly slug: string;
  /** 32 hex digits in lower case, made by the page: one nonce makes at most one lead. */
  readonly nonce: string;
  readonly expiresAtMilliseconds: number;
  readonly mac: Uint8Array;
}

export type TokenVerdict = 'valid' | 'expired' | 'invalid';

export const BROWSER_TOKEN_PREFIX = 'ingt_brw_';
export const BROWSER_TOKEN_SECONDS = 120;

/** Keeps these signatures apart from anything else that the keys may ever sign. */
const PURPOSE = 'lead-ingest browser token 1';
const MAC_BYTES = 32;
const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const MAX_FIELD_BYTES = 0xff;

/** The nonce in one spelling, or undefined if it is none. */
export function parseNonce(text: string): string | undefined {
  return /^[0-9a-f]{32}$/i.test(text) ? text.toLowerCase() : undefined;
}

/** Takes a checked slug and nonce. The origin is signed but not part of the token: the browser sends it again. */
export function mintBrowserToken(
  { slug, nonce, origin }: { readonly slug: string; readonly nonce: string; readonly origin: string },
  key: SigningKey,
  nowMilliseconds: number,
): string {
  const { keyId } = key;
  const expiresAtMilliseconds = nowMilliseconds + BROWSER_TOKEN_SECONDS * 1_000;
  const claims = { keyId, slug, nonce, expiresAtMilliseconds };
  const bytes = Buffer.concat([encodeClaims(claims), macOf(claims, origin, key.secret)]);
  return `${BROWSER_TOKEN_PREFIX}${bytes.toString('base64url')}`;
}

/** Undefined if the text cannot be a token of ours. Each token has one spelling only. */
export function readBrowserToken(text: string): BrowserToken | undefined {
  if (!text.startsWith(BROWSER_TOKEN_PREFIX)) return undefined;
  const encoded = text.slice(BROWSER_TOKEN_PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== encoded) return undefined;
  const fields = splitFields(bytes.subarray(0, -MAC_BYTES));
  if (fields?.length !== 4) return undefined;
  const [keyId, slug, nonce, time] = fields as [Buffer, Buffer, Buffer, Buffer];
  if (nonce.length !== NONCE_BYTES || time.length !== TIME_BYTES) return undefined;
  return {
    keyId: keyId.toString('latin1'),
    slug: slug.toString('latin1'),
    nonce: nonce.toString('hex'),
    expiresAtMilliseconds: time.readUIntBE(0, TIME_BYTES),
    mac: bytes.subarray(-MAC_BYTES),
  };
}

/** Replaces a key that is not known, so that the work done is the same. */
const DECOY = Buffer.alloc(MAC_BYTES, 'decoy-key-that-signs-nothing');

/** The expiry is checked last: only a token that we signed for this origin is reported as expired. */
export function checkBrowserToken(
  token: BrowserToken,
  origin: string,
  keys: readonly SigningKey[],
  nowMilliseconds: number,
): TokenVerdict {
  const key = keys.find(({ keyId }) => keyId === token.keyId);
  const matches = timingSafeEqual(token.mac, macOf(token, origin, key?.secret ?? DECOY));
  if (!key || !matches) return 'invalid';
  return nowMilliseconds < token.expiresAtMilliseconds ? 'valid' : 'expired';
}

type Claims = Omit<BrowserToken, 'mac'>;

function encodeClaims({ keyId, slug, nonce, expiresAtMilliseconds }: Claims): Buffer {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUIntBE(expiresAtMilliseconds, 0, TIME_BYTES);
  return joinFields([
    Buffer.from(keyId, 'latin1'),
    Buffer.from(slug, 'latin1'),
    Buffer.from(nonce, 'hex'),
    time,
  ]);
}

function macOf(claims: Claims, origin: string, secret: Uint8Array): Buffer {
  // An origin may be longer than a field's one byte can say, and it comes last: its length is in front all the same.
  const originBytes = Buffer.from(origin, 'utf8');
  const originLength = Buffer.alloc(4);
  originLength.writeUInt32BE(originBytes.length);
  return createHmac('sha256', secret)
    .update(joinFields([Buffer.from(PURPOSE)]))
    .update(encodeClaims(claims))
    .update(originLength)
    .update(originBytes)
    .digest();
}

/** Each field after its length, so that no two lists of fields give the same bytes. */
function joinFields(fields: readonly Buffer[]): Buffer {
  return Buffer.concat(
    fields.flatMap((field) => {
      if (field.length > MAX_FIELD_BYTES) throw new RangeError('A field of a token is too long');
      return [Buffer.from([field.length]), field];
    }),
  );
}

function splitFields(bytes: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + (bytes[at] as number);
    if (end > bytes.length) return undefined;
    fields.push(bytes.subarray(at + 1, end));
    at = end;
  }
  return fields;
}
