import type { RejectionEvent } from '#console/api/types.ts';
import { type CurlRequest, parseCurl, withoutSpaceAround } from '../curl/parse-curl.ts';
import { formatBytes } from './mark-difference.ts';

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

function findObstacles(
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

export type BodyKind = 'text' | 'base64' | 'file';

/** The content of the fields. */
export interface PastedParts {
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  readonly bodyKind: BodyKind;
  readonly file: Uint8Array<ArrayBuffer> | undefined;
}

export const NO_PARTS: PastedParts = {
  timestamp: '',
  signature: '',
  body: '',
  bodyKind: 'text',
  file: undefined,
};

/** Errors by field. */
export type FieldProblems = Readonly<
  Partial<Record<'timestamp' | 'signature' | 'body' | 'command', string | undefined>>
>;

export interface DebugInput {
  readonly request: SentRequest;
  readonly obstacles: Obstacles;
}

type Read = { readonly asked: DebugInput } | { readonly asked?: undefined; readonly problems: FieldProblems };

/** One more than the largest body: the settings API accepts that to report it as too large. */
const MAX_BYTES = 131_073;
const MAX_HEADER_LENGTH = 1_000;

export function readParts(parts: PastedParts): Read {
  const timestamp = headerValue(parts.timestamp, 'X-SVC-Timestamp');
  const signature = headerValue(parts.signature, 'X-SVC-Signature');
  const body = bodyOf(parts);
  const problems: FieldProblems = {
    timestamp: timestamp === undefined ? missing('timestamp') : headerProblem(timestamp),
    signature: signature === undefined ? missing('signature') : headerProblem(signature),
    body: typeof body === 'string' ? body : bodyProblem(body),
  };
  if (typeof body === 'string' || Object.values(problems).some((problem) => problem !== undefined))
    return { problems };
  return { asked: { request: { timestamp, signature, body }, obstacles: NO_OBSTACLES } };
}

/** Only a completely known command shows what was not sent. */
export function readCommand(command: string, formUrl: string): Read {
  const no = (problem: string): Read => ({ problems: { command: problem } });
  if (command.trim() === '') return no('Paste a curl command.');
  const curl = parseCurl(command);
  if (!curl) return no('No curl command found.');
  if (curl.unreadable.length > 0)
    return no(
      'The command doesn’t contain the whole request. Fill in the missing values, or enter the timestamp, signature and body separately.',
    );
  const { timestamp, signature, body = new Uint8Array() } = curl;
  const problem = headerProblem(timestamp) ?? headerProblem(signature) ?? bodyProblem(body);
  if (problem !== undefined) return no(problem);
  return { asked: { request: { timestamp, signature, body }, obstacles: findObstacles(curl, formUrl) } };
}

/** The known parts of a command, to complete by hand. */
export function partsOfCommand(command: string): PastedParts {
  const { timestamp = '', signature = '', body } = parseCurl(command) ?? {};
  return { ...NO_PARTS, timestamp, signature, body: new TextDecoder().decode(body) };
}

function bodyOf({ bodyKind, body, file }: PastedParts): Uint8Array | string {
  if (bodyKind === 'text') return new TextEncoder().encode(body);
  if (bodyKind === 'file') return file ?? 'Choose a file.';
  return fromBase64(body) ?? 'The body isn’t valid base64.';
}

const missing = (what: string) => `Enter the ${what}. Requests without one are always rejected.`;

function headerProblem(value = ''): string | undefined {
  return value.length > MAX_HEADER_LENGTH
    ? 'This is too long for a timestamp or signature. Is the body in the wrong field?'
    : undefined;
}

function bodyProblem({ length }: Uint8Array): string | undefined {
  return length > MAX_BYTES ? `The body has ${formatBytes(length)}. The maximum is 131,072.` : undefined;
}

type Known = Pick<RejectionEvent, 'at' | 'detail' | 'bodyBytes' | 'bodySha256'>;

/** The timestamp that a rejected request had, if the rejection says how far it was off. */
export function knownTimestamp({ at, detail }: Pick<Known, 'at' | 'detail'>): string | undefined {
  const { skewSeconds } = detail;
  const timestamp = Math.floor(Date.parse(at) / 1000) - Number(skewSeconds);
  // A timestamp of too many digits was not recorded exactly.
  return typeof skewSeconds === 'number' && Math.abs(skewSeconds) < 1e15 && timestamp >= 0
    ? String(timestamp)
    : undefined;
}

export interface BodyMatch {
  readonly isSame: boolean;
  readonly text: string;
}

/** Whether a pasted body is the one that was rejected. Undefined if that isn't known. */
export async function compareBody(
  { bodyBytes, bodySha256 }: Pick<Known, 'bodyBytes' | 'bodySha256'>,
  body: Uint8Array,
): Promise<BodyMatch | undefined> {
  if (body.length !== bodyBytes) {
    const [had, has] = [formatBytes(bodyBytes), formatBytes(body.length)];
    return { isSame: false, text: `The rejected body had ${had}, this one has ${has}.` };
  }
  // Browsers have no `subtle` on pages without TLS.
  if (bodySha256 === undefined || globalThis.crypto.subtle === undefined) return undefined;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(body)));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex === bodySha256
    ? { isSame: true, text: 'The body is the one that was rejected, byte for byte.' }
    : { isSame: false, text: 'The rejected body has the same size, but other bytes.' };
}
