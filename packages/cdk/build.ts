import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeConsole } from '../../lib/console-site/code.ts';
import { featureFlags } from '../../lib/feature-flags.ts';
import { bundledCode, functionNames } from '../../lib/service-function/code.ts';
import { licensesOf } from '../leadctl/build.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = fileURLToPath(new URL('./', import.meta.url));
const DIST = join(PACKAGE, 'dist');

/** lib/ as JavaScript with types, at the same places below dist/ as in the repository, and all that lib/ reads. */
function build(): void {
  rmSync(DIST, { recursive: true, force: true });
  compile();
  removeInnerTypes();
  write('cdk.json', `${JSON.stringify({ context: featureFlags() }, null, 2)}\n`);
  cpSync(join(ROOT, 'lib/console-site/routing.js'), join(DIST, 'lib/console-site/routing.js'));
  for (const name of functionNames()) write(`assets/functions/${name}/index.cjs`, bundledCode(name));
  writeConsole(join(DIST, 'assets/console'));
  write('LICENSES.txt', licensesOf(bundledPackages(), 'lead-ingest-cdk'));
}

function write(file: string, contents: string): void {
  mkdirSync(dirname(join(DIST, file)), { recursive: true });
  writeFileSync(join(DIST, file), contents);
}

/** Every package that may be in a function or in the console, as `npm run licenses` lists them, and the lists for scoring. */
function bundledPackages(): string[] {
  const listed = execFileSync(process.execPath, ['bin/licenses.ts'], { cwd: ROOT, encoding: 'utf8' });
  const names = [...listed.matchAll(/^\S+\s+(\S+) \S+$/gm)].map(([, name]) => name);
  const lists = ['disposable-email-domains-js', 'email-providers', 'tlds'];
  return [...names, ...lists].map((name) => `node_modules/${name}/package.json`);
}

function compile(): void {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', PACKAGE], { stdio: 'inherit' });
}

/** Keeps the types that a user can name. The compiler writes those of every file, and leaves their imports alone. */
function removeInnerTypes(): void {
  const kept = new Set<string>();
  const keep = (file: string): void => {
    if (kept.has(file)) return;
    kept.add(file);
    const types = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      types.replaceAll(/(?<=from ')(\.[^']*)\.ts(?=')/g, (_, path: string) => {
        keep(resolve(dirname(file), `${path}.d.ts`));
        return `${path}.js`;
      }),
    );
  };
  keep(join(DIST, 'lib/index.d.ts'));
  const all = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).map((file) => join(DIST, file));
  for (const file of all) if (file.endsWith('.d.ts') && !kept.has(file)) rmSync(file);
}

build();
console.log(`Built lead-ingest-cdk into ${relative(process.cwd(), DIST)}`);
