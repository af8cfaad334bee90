import { createHash } from 'node:crypto';
import type { MistakeName } from './mistakes.ts';
import { reserializedBodies } from './reserialized-bodies.ts';

/** The bytes that may have been signed in place of the body, and how likely that is: less weight, likelier. */
export interface BodyVariant {
  readonly bytes: Buffer;
  readonly mistakes: () => readonly MistakeName[];
  readonly weight: number;
  /** A sentence about the spacing, if that differs. */
  readonly detail?: string | undefined;
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const NEWLINE = Buffer.from('\n');
/** Writing 128 KB in one form takes milliseconds, so a large body is written only in the likeliest ones. */
const LARGE_CHARACTERS = 16 * 1024;
const FORMS_OF_LARGE = 6;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** As sent first, then every variant with different bytes. If two are the same, the first names both mistakes. */
export function bodyVariants(sent: Uint8Array): BodyVariant[] {
  const asSent = bodyAsSent(sent);
  const body = asSent.bytes;
  const text = decodeUtf8(body);
  const all = [
    asSent,
    ...rewrittenBytes(body),
    ...(text === undefined ? [] : rewrittenText(text)),
    ...stringified(body, text),
  ];
  return withoutRepeats(all);
}

export function bodyAsSent(sent: Uint8Array): BodyVariant {
  return { bytes: Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength), mistakes: () => [], weight: 0 };
}

export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

const variant = (name: MistakeName, weight: number, bytes: Buffer | string): BodyVariant => ({
  bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
  mistakes: () => [name],
  weight,
});

/** Latin-1 gives each byte one character and back, so that patterns can be used on bytes of any kind. */
export function replaceBytes(bytes: Buffer, pattern: RegExp, replacement: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(pattern, replacement), 'latin1');
}

/** By hand: a pattern for white space before the end takes quadratic time on a body full of it. */
function trimBytes(bytes: Buffer): Buffer {
  const isSpace = (byte: number | undefined) =>
    byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13);
  let start = 0;
  let end = bytes.length;
  while (start < end && isSpace(bytes[start])) start += 1;
  while (end > start && isSpace(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

function rewrittenBytes(body: Buffer): BodyVariant[] {
  return [
    variant('body_newline_added', 1, Buffer.concat([body, NEWLINE])),
    variant('body_newline_cut', 1, replaceBytes(body, /\r?\n$/, '')),
    variant('body_empty', 1, ''),
    variant('body_trimmed', 1, trimBytes(body)),
    variant('body_crlf_to_lf', 1, replaceBytes(body, /\r\n/g, '\n')),
    variant('body_lf_to_crlf', 1, replaceBytes(body, /(?<!\r)\n/g, '\r\n')),
    variant('body_newline_added', 2, Buffer.concat([body, Buffer.from('\r\n')])),
    variant('body_bom_cut', 1, body.subarray(0, 3).equals(BOM) ? body.subarray(3) : body),
    variant('body_bom_added', 2, Buffer.concat([BOM, body])),
    variant('body_utf8_twice', 1, body.toString('latin1')),
    variant('body_read_as_text', 1, body.toString('utf8')),
  ];
}

function rewrittenText(text: string): BodyVariant[] {
  const written = reserializedBodies(text, text.length > LARGE_CHARACTERS ? FORMS_OF_LARGE : undefined).map(
    (each) => ({ ...each, bytes: Buffer.from(each.text) }),
  );
  const lined = written.map(({ bytes, mistakes, weight, detail }) => ({
    bytes: Buffer.concat([bytes, NEWLINE]),
    mistakes: () => [...mistakes(), 'body_newline_added'] as const,
    weight: weight + 1,
    detail,
  }));
  const fitsLatin1 = !/[^\0-\u00ff]/.test(text);
  return [
    ...written,
    ...(fitsLatin1 ? [variant('body_latin1', 1, Buffer.from(text, 'latin1'))] : []),
    ...lined,
  ];
}

function stringified(body: Buffer, text: string | undefined): BodyVariant[] {
  const digest = createHash('sha256').update(body).digest();
  return [
    variant('body_as_object_text', 1, '[object Object]'),
    variant('body_as_bytes_literal', 1, bytesLiteral(body)),
    variant('body_as_base64', 1, body.toString('base64')),
    ...(text === undefined ? [] : [variant('body_as_json_string', 1, JSON.stringify(text))]),
    ...['undefined', 'null', 'None'].map((word) => variant('body_as_object_text', 2, word)),
    variant('body_as_digest', 2, digest.toString('hex')),
    variant('body_as_digest', 2, digest.toString('base64')),
  ];
}

/** As Python's repr() does: in double quotes only where there are single quotes and no double ones. */
function bytesLiteral(body: Buffer): string {
  const text = body.toString('latin1');
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replace(/[^ -~]/g, (unit) => `\\x${unit.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `b${quote}${escaped}${quote}`;
}

function withoutRepeats(variants: readonly BodyVariant[]): BodyVariant[] {
  const kept: BodyVariant[] = [];
  for (const each of variants) {
    if (!kept.some(({ bytes }) => bytes.equals(each.bytes))) kept.push(each);
  }
  return kept;
}
