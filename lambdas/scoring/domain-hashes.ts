const GROUPS = 256;

/**
 * A set of thousands of domains at the price of a string: 32-bit hashes. A stranger's domain is taken for a listed one
 * once in 500,000 times.
 *
 * They are in groups by their highest byte, sorted. First comes how many each group has; then the gaps between
 * neighbours of a group, in three bytes: all the high ones, which are alike and pack well, then the middle, then the low.
 */
export class DomainHashes {
  readonly #read: () => Buffer;
  #bytes: Buffer | undefined;

  constructor(read: () => Buffer) {
    this.#read = read;
  }

  has(domain: string): boolean {
    this.#bytes ??= this.#read();
    const bytes = this.#bytes;
    const hash = hashOfDomain(domain);
    const group = hash >>> 24;
    let at = GROUPS;
    for (let before = 0; before < group; before += 1) at += bytes.readUInt8(before);
    const end = at + bytes.readUInt8(group);
    const plane = (bytes.length - GROUPS) / 3;
    let listed = group * 2 ** 24;
    for (; at < end && listed <= hash; at += 1) {
      listed +=
        (bytes.readUInt8(at) << 16) | (bytes.readUInt8(at + plane) << 8) | bytes.readUInt8(at + 2 * plane);
      if (listed === hash) return true;
    }
    return false;
  }
}

export function packHashes(domains: readonly string[]): Buffer {
  const hashes = [...new Set(domains.map(hashOfDomain))].sort((one, other) => one - other);
  const bytes = Buffer.alloc(GROUPS + hashes.length * 3);
  hashes.forEach((hash, index) => {
    const group = hash >>> 24;
    const gap = hash - Math.max(hashes[index - 1] ?? 0, group * 2 ** 24);
    // Throws where a group has grown too large for its byte.
    bytes.writeUInt8(bytes.readUInt8(group) + 1, group);
    bytes[GROUPS + index] = gap >>> 16;
    bytes[GROUPS + hashes.length + index] = gap >>> 8;
    bytes[GROUPS + 2 * hashes.length + index] = gap;
  });
  return bytes;
}

/** FNV-1a over UTF-16 units: short, and the same on every machine. */
export function hashOfDomain(domain: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < domain.length; index += 1) {
    hash = Math.imul(hash ^ domain.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
