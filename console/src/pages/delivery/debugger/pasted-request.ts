import { parseCurl } from '../curl/parse-curl.ts';
import { fromBase64, headerValue, type SentRequest } from './debug-request.ts';

export type BodyKind = 'text' | 'base64' | 'file';

/** What an owner has pasted so far, as it is in the fields. */
export interface PastedParts {
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  readonly bodyKind: BodyKind;
  readonly file: Uint8Array<ArrayBuffer> | undefined;
}

export const NOTHING_PASTED: PastedParts = {
  ...{ timestamp: '', signature: '', body: '', bodyKind: 'text', file: undefined },
};

export type Read =
  | { readonly request: SentRequest }
  | { readonly request?: undefined; readonly problem: string };

/** One more than the largest body is what the settings API takes: enough to say that it is too large. */
const MOST_BYTES = 131_073;
const LONGEST_HEADER = 1_000;

export function readParts(parts: PastedParts): Read {
  const timestamp = headerValue(parts.timestamp, 'X-SVC-Timestamp');
  const signature = headerValue(parts.signature, 'X-SVC-Signature');
  const body = bodyOf(parts);
  if (typeof body === 'string') return { problem: body };
  return checked({ timestamp, signature, body });
}

export function readCommand(command: string): Read {
  if (command.trim() === '') return { problem: 'Paste the command first.' };
  const curl = parseCurl(command);
  if (!curl) return { problem: 'There is no curl command in this text.' };
  if (curl.unreadable.length > 0)
    return { problem: 'Part of the request is not in the command, as said below. Give its parts instead.' };
  const { timestamp, signature, body = new Uint8Array() } = curl;
  return checked({ timestamp, signature, body });
}

/** What a command has, for the fields: somebody fills in the rest by hand. */
export function partsOfCommand(command: string): PastedParts {
  const { timestamp = '', signature = '', body } = parseCurl(command) ?? {};
  return { ...NOTHING_PASTED, timestamp, signature, body: new TextDecoder().decode(body) };
}

function bodyOf({ bodyKind, body, file }: PastedParts): Uint8Array | string {
  if (bodyKind === 'text') return new TextEncoder().encode(body);
  if (bodyKind === 'file') return file ?? 'Choose the file with the body first.';
  return fromBase64(body) ?? 'The body is not base64.';
}

function checked(request: SentRequest): Read {
  const { timestamp = '', signature = '', body } = request;
  if (body.length > MOST_BYTES) {
    const size = body.length.toLocaleString('en');
    return {
      problem: `The body has ${size} bytes. Over 131,072 every request is rejected, however it is signed.`,
    };
  }
  if (timestamp.length > LONGEST_HEADER || signature.length > LONGEST_HEADER)
    return {
      problem: 'A timestamp or signature of over 1,000 characters is none. Is the body in the wrong field?',
    };
  return { request };
}
