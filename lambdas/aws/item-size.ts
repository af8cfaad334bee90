/**
 * DynamoDB's rules for the size of an item: names and strings as UTF-8, numbers by significant digits, binary as it is,
 * 3 bytes per list or map plus 1 per element.
 */
export function itemBytes(item: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(item)) bytes += Buffer.byteLength(name) + valueBytes(value);
  return bytes;
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return numberBytes(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + 1 + valueBytes(each), 3);
  if (typeof value === 'object' && value !== null) {
    return 3 + itemBytes(value as Record<string, unknown>) + Object.keys(value).length;
  }
  return 1;
}

function numberBytes(value: number): number {
  const digits = Math.abs(value)
    .toString()
    .replace(/e.*$/, '')
    .replace('.', '')
    .replace(/^0+|0+$/g, '').length;
  return Math.ceil(digits / 2) + 1 + (value < 0 ? 1 : 0);
}

export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1024));
}
