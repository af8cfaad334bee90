import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DIST = fileURLToPath(new URL('dist/', import.meta.url));
/** Lists the files that the bundle was made from. Written last: without it, the bundle is incomplete. */
const INPUTS = join(DIST, 'inputs.json');

/** Bundles bin/leadctl.ts into dist/: plain JavaScript without dependencies, for Node 20 and later. */
export async function bundle() {
  // Not at the top: the bundle is usually up to date.
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['bin/leadctl.ts'],
    outdir: DIST,
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    // Stack traces and class names that the error messages rely on.
    keepNames: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // Keeps lazy imports lazy: help must not load the AWS SDK.
    splitting: true,
    mainFields: ['module', 'main'],
    inject: [fileURLToPath(new URL('node-20.js', import.meta.url))],
    // CommonJS packages call require for Node's own modules.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  });
  const inputs = Object.keys(metafile.inputs);
  await mkdir(DIST, { recursive: true });
  for (const { path, contents } of outputFiles) await writeWhole(path, contents);
  await writeWhole(join(DIST, 'LICENSES.txt'), licensesOf(inputs));
  const own = inputs.filter((file) => !file.includes('node_modules/'));
  await writeWhole(INPUTS, `${JSON.stringify([...own, 'package-lock.json'])}\n`);
}

/** For a checkout on a Node that cannot run TypeScript. */
export async function bundleIfStale() {
  if (await isStale()) await bundle();
}

async function isStale() {
  if (!existsSync(INPUTS)) return true;
  const { mtimeMs: bundledAt } = await stat(INPUTS);
  const changes = JSON.parse(readFileSync(INPUTS, 'utf8')).map(async (file) => {
    const found = await stat(join(ROOT, file)).catch(() => undefined);
    return found === undefined || found.mtimeMs > bundledAt;
  });
  return (await Promise.all(changes)).includes(true);
}

/** Another process may be reading the file. */
async function writeWhole(file, contents) {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, contents);
  await rename(draft, file);
}

/** The licenses of this project and of every bundled package: most ask that their notice be kept. */
export function licensesOf(inputs, name = 'leadctl') {
  const folders = inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const [file] = readdirSync(join(ROOT, folder)).filter((name) => /^licen[cs]e/i.test(name));
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const text = file ? readFileSync(join(ROOT, folder, file), 'utf8').trim() : `License: ${license}`;
    return `${name} ${version}\n\n${text}`;
  });
  const own = readFileSync(join(ROOT, 'LICENSE'), 'utf8').trim();
  return `${[`${name}\n\n${own}`, ...texts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

if (process.argv[1] && basename(process.argv[1]) === 'build.js') {
  await rm(DIST, { recursive: true, force: true });
  await bundle();
  console.log(`Bundled leadctl into ${relative(process.cwd(), DIST)}`);
}
