import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { LIST_SOURCES } from '../../lambdas/scoring/lists.ts';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/lead-ingest/lists/', import.meta.url));

/** For esbuild's `define`: the lists that lambdas/scoring/lists.ts reads in a bundle. */
export function packedLists(): { PACKED_LISTS: string } {
  const packed = Object.entries(LIST_SOURCES).map(([name, make]) => [name, compress(make())]);
  return { PACKED_LISTS: JSON.stringify(JSON.stringify(Object.fromEntries(packed))) };
}

/** Cached by content: compressing takes half a second, which every synth would wait for. */
function compress(content: Buffer): string {
  const file = `${CACHE}${createHash('sha256').update(content).digest('hex')}`;
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const compressed = brotliCompressSync(content).toString('base64');
  mkdirSync(CACHE, { recursive: true });
  // Renamed when complete: another process may read it.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, compressed);
  renameSync(draft, file);
  return compressed;
}
