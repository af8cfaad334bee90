import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledCode } from '../../lib/service-function/code.ts';

/** Bundles exactly as deployed. Sources are folders of lambdas/, or paths relative to it. */
export interface Bundles {
  readonly folderOf: (source: string) => string;
  readonly bytesOf: (source: string) => number;
  remove(): void;
}

export function makeBundles(sources: readonly string[]): Bundles {
  const root = mkdtempSync(join(tmpdir(), 'lead-ingest-bench-'));
  const folderOf = (source: string) => join(root, String(sources.indexOf(source)));
  const fileOf = (source: string) => join(folderOf(source), 'index.cjs');
  for (const source of sources) {
    mkdirSync(folderOf(source));
    writeFileSync(fileOf(source), bundledCode(source));
  }
  return {
    folderOf,
    bytesOf: (source) => statSync(fileOf(source)).size,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
