import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, type Format } from 'esbuild';
import { SDK_FOLDER } from './sdk-files.ts';

const SOURCES = fileURLToPath(new URL('../../sdk/', import.meta.url));
const TYPES = 'v1.module.d.ts';

export interface SdkFile {
  /** The immutable file's name in the folder. */
  readonly file: string;
  /** For the attribute `integrity`. */
  readonly integrity: string;
}

/** The content of `v1.json`: where the current version is. */
export interface SdkManifest {
  readonly script: SdkFile;
  readonly module: SdkFile;
}

export interface Sdk {
  readonly manifest: SdkManifest;
  /** The files of the folder by name. */
  readonly files: ReadonlyMap<string, string>;
}

/** Each file twice: under a fixed name, which gets fixes, and under an immutable one. */
export function buildSdk(): Sdk {
  const script = bundle('script.ts', 'iife');
  const module = bundle('module.ts', 'esm');
  const manifest = { script: describe(script, '.js'), module: describe(module, '.module.js') };
  const files = new Map([
    ['v1.js', script],
    ['v1.module.js', module],
    [TYPES, readFileSync(join(SOURCES, TYPES), 'utf8')],
    [manifest.script.file, script],
    [manifest.module.file, module],
    ['v1.json', `${JSON.stringify(manifest, null, 2)}\n`],
  ]);
  return { manifest, files };
}

/** Writes the files into the folder of a built site. */
export function writeSdk(site: string): void {
  const folder = join(site, SDK_FOLDER);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of buildSdk().files) writeFileSync(join(folder, name), text);
}

/** Synchronous, because CDK constructs are. */
function bundle(entry: string, format: Format): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(SOURCES, entry)],
    bundle: true,
    minify: true,
    write: false,
    format,
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'silent',
  });
  return outputFiles.map(({ text }) => text).join('');
}

function describe(code: string, ending: string): SdkFile {
  const digest = (algorithm: string) => createHash(algorithm).update(code);
  return {
    file: `v1-${digest('sha256').digest('hex').slice(0, 16)}${ending}`,
    integrity: `sha384-${digest('sha384').digest('base64')}`,
  };
}

/** `npm run build:sdk -- FOLDER` */
if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Pass the folder to write to: npm run build:sdk -- FOLDER');
  writeSdk(folder);
}
