/** UUIDv7: 48 bits of milliseconds, then randomness, so that ids sort by time of arrival. */
export function makeLeadId(nowMilliseconds: number, random10: Uint8Array): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(nowMilliseconds, 0, 6);
  bytes.set(random10, 6);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

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

/** Slugs are case-sensitive. The service makes lower-case ones; imported ones may use more of this grammar. */
const SLUG = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$/;

export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** A readable stem from the form's name, and a suffix that makes it unique and hard to guess. */
export function makeSlug(name: string, suffix: string): string {
  const stem = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return `${stem || 'form'}-${suffix}`;
}
