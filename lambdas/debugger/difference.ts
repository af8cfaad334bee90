const SHOWN_BYTES = 80;
const NAMED: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r', 92: '\\\\' };

/** The first bytes with invisible ones made visible, so that a stray CR, BOM or Latin-1 byte can be seen. */
export function printableStart(bytes: Uint8Array): string {
  return printable(bytes.subarray(0, SHOWN_BYTES));
}

/** Backslashes are doubled, so that the bytes can be read back from it. */
export function printable(bytes: Uint8Array): string {
  return [...bytes].map(printableByte).join('');
}

function printableByte(byte: number): string {
  const named = NAMED[byte];
  if (named !== undefined) return named;
  return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
}

/** Where the signed bytes differ from the expected ones: an excerpt of both, around the first difference. */
export interface SignedDifference {
  /** Counted from 0, as all bytes here. */
  readonly atByte: number;
  /** Where both excerpts begin. */
  readonly fromByte: number;
  readonly expected: string;
  readonly signed: string;
  readonly signedByteLength: number;
}

const BYTES_BEFORE = 32;
const BYTES_AFTER = 160;

/** Undefined where both are the same. */
export function differenceOf(expected: Uint8Array, signed: Uint8Array): SignedDifference | undefined {
  const atByte = firstDifference(expected, signed);
  if (atByte === undefined) return undefined;
  const fromByte = Math.max(0, atByte - BYTES_BEFORE);
  const excerpt = (bytes: Uint8Array) => printable(bytes.subarray(fromByte, atByte + BYTES_AFTER));
  return {
    atByte,
    fromByte,
    expected: excerpt(expected),
    signed: excerpt(signed),
    signedByteLength: signed.length,
  };
}

function firstDifference(one: Uint8Array, other: Uint8Array): number | undefined {
  const shorter = Math.min(one.length, other.length);
  let at = 0;
  while (at < shorter && one[at] === other[at]) at += 1;
  return at === one.length && at === other.length ? undefined : at;
}
