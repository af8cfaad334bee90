import { enableCompileCache, getCompileCacheDir } from 'node:module';

// Caches compiled packages between starts. This saves a second of CPU, most of it in the synthesis.
enableCompileCache();

/** Lets child processes use the cache, too. */
export function compileCacheVariables(): Record<string, string> {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
