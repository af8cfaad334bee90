import { brotliDecompressSync } from 'node:zlib';
import { LIST_SOURCES, type ListName } from './list-sources.ts';

/** Only in bundles: the lists by name as JSON, each as brotli in base64. */
declare const PACKED_LISTS: string | undefined;

/**
 * A list that scoring looks things up in. Bundles contain the lists compressed: reading them as source would cost every
 * cold start more than decompressing them costs its first lead.
 */
export function readList(name: ListName): Buffer {
  // Constant in a bundle, so that the sources are left out of it.
  if (typeof PACKED_LISTS === 'undefined') return LIST_SOURCES[name]();
  const packed = JSON.parse(PACKED_LISTS) as Readonly<Record<ListName, string>>;
  return brotliDecompressSync(Buffer.from(packed[name], 'base64'));
}
