import { base62 } from '../model/configuration.ts';
import type { Provider } from './providers.ts';
import { withoutPrefix } from './verify-signature.ts';

const MAX_CHARACTERS = 200;
const MIN_KEY_BYTES = 16;

/** How many random bytes makeSourceSecret() needs. */
export const SOURCE_SECRET_BYTES = 32;

const API_KEY = /^(?:sk|rk|shpat)_/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** What is wrong with a secret, for the owner who entered it. The text never repeats the secret. */
export function problemOfSecret({ displayName, secret }: Provider, entered: string): string | undefined {
  if (API_KEY.test(entered)) {
    return `This is an API key. Enter the signing secret of the ${displayName} webhook instead, and consider replacing the key.`;
  }
  if (/^\s|\s$/.test(entered)) return 'The secret begins or ends with a space or line break.';
  if (secret.key === 'base64') {
    const encoded = withoutPrefix(entered);
    if (!BASE64.test(encoded)) {
      return `This is not a signing secret of ${displayName}: these are whsec_ followed by base64.`;
    }
    if (Buffer.byteLength(encoded, 'base64') < MIN_KEY_BYTES) {
      return `The secret is too short: the base64 after whsec_ must contain at least ${MIN_KEY_BYTES} bytes.`;
    }
  }
  if (entered.length < secret.minCharacters) {
    return `The secret is too short: it must have at least ${secret.minCharacters} characters.`;
  }
  if (entered.length > MAX_CHARACTERS) {
    return `The secret is too long: it can have at most ${MAX_CHARACTERS} characters.`;
  }
  return undefined;
}

/** Undefined if only the provider can make one. */
export function makeSourceSecret({ secret }: Provider, random: Uint8Array): string | undefined {
  if (secret.madeBy === 'provider') return undefined;
  return secret.key === 'base64' ? `whsec_${Buffer.from(random).toString('base64')}` : base62(random);
}
