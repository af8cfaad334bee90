/**
 * Bytes as text, a character of one byte each. A shell joins bytes, and $'\xe9' is one that is no UTF-8; all that it
 * looks for is ASCII, so that it can be looked for here in the same way.
 */
export type ByteText = string;

export function toByteText(text: string): ByteText {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

export function toBytes(bytes: ByteText): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes, (unit) => unit.charCodeAt(0));
}

export function toText(bytes: ByteText): string {
  return new TextDecoder().decode(toBytes(bytes));
}
