import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Names another folder for caches, for a checkout that cannot be written to. */
export const CACHE_VARIABLE = 'LEAD_INGEST_CACHE';

export const DEFAULT_CACHE = fileURLToPath(new URL('../node_modules/.cache/lead-ingest', import.meta.url));

/** Where something that takes long to make is kept between runs. */
export function cacheFolder(name: string): string {
  return join(process.env[CACHE_VARIABLE] ?? DEFAULT_CACHE, name);
}

const KEPT_BUILDS = 5;
const DRAFT = 'draft-';
const ABANDONED_MILLISECONDS = 60 * 60 * 1000;

/** An empty folder beside the builds, to become one of them. */
export function makeDraft(cache: string): string {
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, DRAFT));
}

/** Atomic. If another process was faster, its build is as good. */
export function publish(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Only the newest builds are kept, so one in use must look new. */
export function keepNewest(cache: string, folder: string): void {
  const now = new Date();
  utimesSync(folder, now, now);
  removeOld(cache);
}

/** The path and contents of each source. Files that other tools write into the project are not sources. */
export function hashOf(sources: readonly string[], settings: readonly unknown[] = []): string {
  const hash = createHash('sha256').update(settings.length === 0 ? '' : JSON.stringify(settings));
  for (const source of sources) {
    for (const file of filesOf(source)) {
      const contents = readFileSync(file);
      hash.update(`${relative(source, file).replaceAll(sep, '/')}\0${contents.length}\0`).update(contents);
    }
  }
  return hash.digest('hex').slice(0, 20);
}

const NO_SOURCES = new Set(['node_modules', 'dist']);

function filesOf(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter((name) => !NO_SOURCES.has(name))
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}

/**
 * Other processes may do the same or still be building: a missing folder is no error, and drafts are kept for an hour.
 */
function removeOld(cache: string): void {
  const entries = readdirSync(cache).flatMap((name) => {
    const stats = statSync(join(cache, name), { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ name, usedAt: stats.mtimeMs }];
  });
  const builds = entries.filter(({ name }) => !name.startsWith(DRAFT)).sort((a, b) => b.usedAt - a.usedAt);
  const abandoned = entries.filter(
    ({ name, usedAt }) => name.startsWith(DRAFT) && usedAt < Date.now() - ABANDONED_MILLISECONDS,
  );
  for (const { name } of [...builds.slice(KEPT_BUILDS), ...abandoned]) {
    rmSync(join(cache, name), { recursive: true, force: true });
  }
}
