import { brotliDecompressSync } from 'node:zlib';

/**
 * Lists and lexicons are in the bundle as compressed base64, less than half of their text, unpacked at first use: reading
 * them as source would cost every cold start more than unpacking costs its first lead. bin/make-domain-lists.ts packs.
 */
export const unpack = (packed: string): Buffer => brotliDecompressSync(Buffer.from(packed, 'base64'));
