import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = fileURLToPath(new URL('./', import.meta.url));
const DIST = join(PACKAGE, 'dist');

/** Compiles src/ into dist/. Another process may be packing it: no file is ever missing or half written. */
mkdirSync(DIST, { recursive: true });
const draft = mkdtempSync(join(DIST, '.draft-'));
try {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', PACKAGE, '--outDir', draft], { stdio: 'inherit' });
  copyFileSync(join(ROOT, 'LICENSE'), join(draft, 'LICENSE'));
  const made = readdirSync(draft);
  for (const file of made) renameSync(join(draft, file), join(DIST, file));
  const stale = readdirSync(DIST).filter((file) => !file.startsWith('.draft-') && !made.includes(file));
  for (const file of stale) rmSync(join(DIST, file));
} finally {
  rmSync(draft, { recursive: true });
}
