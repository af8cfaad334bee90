import { spawnSync } from 'node:child_process';
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

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');

/** Everything a build depends on. The console uses nothing else from the repository. */
export const CONSOLE_SOURCES = [
  'console',
  'lambdas',
  'sdk',
  'docs/api',
  'docs/console-guide.md',
  'package-lock.json',
];

export interface ConsoleBuild {
  /** The folder in which Vite runs. */
  readonly project: string;
  /** Files and folders on which a build depends. */
  readonly sources: readonly string[];
  /** Where builds are kept, each under the hash of its sources. */
  readonly cache: string;
}

const OURS: ConsoleBuild = {
  project: join(ROOT, 'console'),
  sources: CONSOLE_SOURCES.map((path) => join(ROOT, path)),
  cache: join(ROOT, 'node_modules/.cache/lead-ingest/console'),
};

const KEPT_BUILDS = 5;
const DRAFT = 'draft-';
const ABANDONED_MILLISECONDS = 60 * 60 * 1000;

/** The folder of the built console. Vite runs only if these sources have not been built yet. */
export function buildConsole(build: ConsoleBuild = OURS): string {
  const folder = join(build.cache, hashOf(build));
  if (!existsSync(folder)) publish(makeDraft(build), folder);
  // Only the newest are kept, so a build in use must look new.
  const now = new Date();
  utimesSync(folder, now, now);
  removeOld(build.cache);
  return folder;
}

function makeDraft({ project, cache }: ConsoleBuild): string {
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, DRAFT));
  const options = ['--outDir', draft, '--emptyOutDir', '--logLevel', 'error'];
  // Synchronous, because CDK constructs are.
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [VITE, 'build', ...options], {
    cwd: project,
    // In a test's environment, Vite would build differently.
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
    encoding: 'utf8',
  });
  if (status === 0) return draft;
  rmSync(draft, { recursive: true, force: true });
  throw new Error(`The console could not be built:\n${error?.message ?? `${stdout}${stderr}`.trim()}`);
}

/** Atomic. If another process was faster, its build is as good. */
function publish(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** The path and contents of each source. Files that other tools write into the project are not sources. */
function hashOf({ sources }: ConsoleBuild): string {
  const hash = createHash('sha256');
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

/** `npm run build:console` */
if (import.meta.main) console.log(buildConsole());
