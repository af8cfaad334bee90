import { withoutSpaceAround } from '../curl/curl-headers.ts';
import type { CurlRequest } from '../curl/parse-curl.ts';

/** What the settings API is asked: the headers as they were sent, left out if they were not, and the body's bytes. */
interface DebugRequest {
  readonly timestamp?: string;
  readonly signature?: string;
  readonly bodyBase64: string;
}

export interface SentRequest {
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  readonly body: Uint8Array;
}

export function debugRequest({ timestamp, signature, body }: SentRequest): DebugRequest {
  return {
    ...(timestamp !== undefined && { timestamp }),
    ...(signature !== undefined && { signature }),
    bodyBase64: toBase64(body),
  };
}

/** A header is often pasted with its name, and with white space around, which HTTP takes away. */
export function headerValue(pasted: string, name: string): string | undefined {
  const value = withoutSpaceAround(pasted.replace(new RegExp(`^\\s*["']?${name}["']?\\s*:`, 'i'), ''));
  return value === '' ? undefined : value;
}

/** Undefined where the text is no base64. White space in it is of no matter, and padding may be missing. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replace(/\s+/g, '')), (unit) => unit.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** In pieces: a function takes only so many arguments. */
export function toBase64(bytes: Uint8Array): string {
  let units = '';
  for (let at = 0; at < bytes.length; at += 8_192) {
    units += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(units);
}

/** What should have been signed. */
export function messageToSign({ timestamp = '', body }: Pick<SentRequest, 'timestamp' | 'body'>): Uint8Array {
  const before = new TextEncoder().encode(`${timestamp}.`);
  const message = new Uint8Array(before.length + body.length);
  message.set(before);
  message.set(body, before.length);
  return message;
}

/** What keeps a request from becoming a lead, however it is signed. */
export interface Obstacles {
  /** The service rejects it for these. */
  readonly refused: readonly string[];
  /** It does not come to this form at all. */
  readonly elsewhere?: string;
}

export const NO_OBSTACLES: Obstacles = { refused: [] };

export function findObstacles(
  { url, hasAddress, refused }: Pick<CurlRequest, 'url' | 'hasAddress' | 'refused'>,
  formUrl: string,
): Obstacles {
  if (!hasAddress) return { refused, elsewhere: 'The command has no URL.' };
  if (url === undefined || placeOf(url) === placeOf(formUrl)) return { refused };
  return { refused, elsewhere: `The request goes to “${url}”. This form’s webhook URL is “${formUrl}”.` };
}

/** As curl takes an address: without a scheme it is http. The service looks at no query, and minds no slash at the end. */
function placeOf(address: string): string {
  const absolute = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  if (!URL.canParse(absolute)) return address;
  const { origin, pathname } = new URL(absolute);
  return origin + pathname.replace(/\/$/, '');
}
