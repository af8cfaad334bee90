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
