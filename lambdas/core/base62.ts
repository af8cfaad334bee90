const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Bytes as one big-endian number in base 62, padded to the width that any bytes of that length need. */
export function base62(bytes: Uint8Array): string {
  let number = 0n;
  for (const byte of bytes) number = (number << 8n) | BigInt(byte);
  const width = Math.ceil((bytes.length * 8) / Math.log2(62));
  let text = '';
  for (let i = 0; i < width; i += 1) {
    text = DIGITS[Number(number % 62n)] + text;
    number /= 62n;
  }
  return text;
}
