import { withoutSpaceAround } from '../curl/curl-headers.ts';
import type { CurlRequest } from '../curl/parse-curl.ts';

/** The debugger's request to the settings API. Missing headers are omitted. */
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

/** Headers are often pasted with their name and surrounding whitespace, which HTTP removes. */
export function headerValue(pasted: string, name: string): string | undefined {
  const value = withoutSpaceAround(pasted.replace(new RegExp(`^\\s*["']?${name}["']?\\s*:`, 'i'), ''));
  return value === '' ? undefined : value;
}

/** Undefined for invalid base64. Ignores whitespace and missing padding. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replace(/\s+/g, '')), (unit) => unit.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** In chunks, since a call takes a limited number of arguments. */
export function toBase64(bytes: Uint8Array): string {
  let units = '';
  for (let at = 0; at < bytes.length; at += 8_192) {
    units += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(units);
}

/** The bytes that should have been signed. */
export function messageToSign({ timestamp = '', body }: Pick<SentRequest, 'timestamp' | 'body'>): Uint8Array {
  const before = new TextEncoder().encode(`${timestamp}.`);
  const message = new Uint8Array(before.length + body.length);
  message.set(before);
  message.set(body, before.length);
  return message;
}

/** Problems of a request that are independent of its signature. */
export interface Obstacles {
  /** Reasons for which the service rejects the request. */
  readonly refused: readonly string[];
  /** The request goes to another URL. */
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

/** curl defaults to http. The service ignores the query and a trailing slash. */
function placeOf(address: string): string {
  const absolute = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  if (!URL.canParse(absolute)) return address;
  const { origin, pathname } = new URL(absolute);
  return origin + pathname.replace(/\/$/, '');
}
