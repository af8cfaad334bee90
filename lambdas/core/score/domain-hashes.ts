/**
 * A set of thousands of domains at the price of a string: sorted 32-bit hashes in base64, decoded at first use and
 * searched by bisection. A stranger's domain is taken for a listed one once in 500,000 times.
 */
export class DomainHashes {
  readonly #packed: string;
  #hashes: Uint32Array | undefined;

  constructor(packed: string) {
    this.#packed = packed;
  }

  has(domain: string): boolean {
    this.#hashes ??= unpack(this.#packed);
    const wanted = hashOfDomain(domain);
    let low = 0;
    let high = this.#hashes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#hashes[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    return this.#hashes[low] === wanted;
  }
}

function unpack(packed: string): Uint32Array {
  const bytes = Buffer.from(packed, 'base64');
  return Uint32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4));
}

/** FNV-1a over UTF-16 units: short, and the same on every machine. */
export function hashOfDomain(domain: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < domain.length; index += 1) {
    hash = Math.imul(hash ^ domain.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
