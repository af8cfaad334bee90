const SHOWN_BYTES = 80;
const NAMED: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r', 92: '\\\\' };

/** The first bytes with nothing invisible in them, so that a stray CR, BOM or Latin-1 byte can be seen. */
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
