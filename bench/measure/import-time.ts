import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { packedLists } from '../../lib/service-function/code.ts';
import { variables } from '../cpu/processes.ts';
import type { Bundles } from '../engines/bundles.ts';
import { CONTENDERS, median } from './cpu.ts';

/** Milliseconds to load a function in a new process, and bytes of its bundle. */
export interface ImportTimes {
  readonly milliseconds: Readonly<Record<'ours' | 'byDefault' | 'shelf', number>>;
  readonly bytes: Readonly<Record<'ours' | 'webhook' | 'byDefault' | 'shelf' | 'floor', number>>;
  readonly toDefault: number;
  readonly runs: number;
}

const ENTRY = fileURLToPath(new URL('../../lambdas/submission/ingest-server/index.ts', import.meta.url));
const SCRIPT =
  'const t = performance.now(); require(process.argv[1]); console.log(performance.now() - t); process.exit()';

/** Compares the deployed bundle with the same code bundled with esbuild's default options. */
export function measureImports(bundles: Bundles, runs: number): ImportTimes {
  const folder = mkdtempSync(join(tmpdir(), 'lead-ingest-default-'));
  const byDefault = join(folder, 'index.cjs');
  buildSync({
    entryPoints: [ENTRY],
    bundle: true,
    platform: 'node',
    outfile: byDefault,
    logLevel: 'error',
    define: packedLists(),
  });
  const files = {
    ours: join(bundles.folderOf(CONTENDERS.ours), 'index.cjs'),
    byDefault,
    shelf: join(bundles.folderOf(CONTENDERS.shelf), 'index.cjs'),
  };
  const times: Record<keyof typeof files, number[]> = { ours: [], byDefault: [], shelf: [] };
  const names = Object.keys(files) as (keyof typeof files)[];
  for (let run = 0; run <= runs; run += 1) {
    for (const name of names) {
      const time = importOnce(files[name]);
      // The first run only fills the file cache.
      if (run > 0) times[name].push(time);
    }
  }
  const bytes = {
    ours: bundles.bytesOf(CONTENDERS.ours),
    webhook: bundles.bytesOf('ingest-webhook'),
    byDefault: statSync(byDefault).size,
    shelf: bundles.bytesOf(CONTENDERS.shelf),
    floor: bundles.bytesOf(CONTENDERS.floor),
  };
  rmSync(folder, { recursive: true, force: true });
  return {
    milliseconds: {
      ours: median(times.ours),
      byDefault: median(times.byDefault),
      shelf: median(times.shelf),
    },
    bytes,
    toDefault: median(times.ours.map((time, run) => time / (times.byDefault[run] as number))),
    runs,
  };
}

function importOnce(file: string): number {
  const env = { PATH: process.env.PATH ?? '', ...variables('http://127.0.0.1:9') };
  return Number(execFileSync(process.execPath, ['-e', SCRIPT, file], { env, encoding: 'utf8' }));
}
