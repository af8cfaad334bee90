import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder, hashOf, keepNewest, makeDraft, publish } from '../kept-builds.ts';

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
  cache: cacheFolder('console'),
};

/** The folder of the built console. Vite runs only if these sources have not been built yet. */
export function buildConsole(build: ConsoleBuild = OURS): string {
  const folder = join(build.cache, hashOf(build.sources));
  if (!existsSync(folder)) publish(runVite(build), folder);
  keepNewest(build.cache, folder);
  return folder;
}

function runVite({ project, cache }: ConsoleBuild): string {
  const draft = makeDraft(cache);
  // By default, Vite compiles its configuration into a file in the project, which may be read-only.
  const options = ['--outDir', draft, '--emptyOutDir', '--logLevel', 'error', '--configLoader', 'native'];
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

/** `npm run build:console` */
if (import.meta.main) console.log(buildConsole());
