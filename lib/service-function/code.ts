import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync, type OutputFile } from 'esbuild';
import { LIST_SOURCES } from '../../lambdas/scoring/lists.ts';
import { cacheFolder } from '../kept-builds.ts';

const LAMBDAS = fileURLToPath(new URL('../../lambdas/', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/**
 * The bundle of a function, whose folder below lambdas/ has an index.ts: one file, `index.cjs`. The extension makes it
 * CommonJS even under a package.json of type "module", and Lambda finds it for the handler `index.handler`.
 */
export function lambdaCode(folder: string): Code {
  const source = sourceOf(folder);
  return Code.fromAsset(source, {
    // The hash of the output: a changed comment is not deployed, a new SDK is.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Required by the interface, never pulled: local bundling always succeeds or throws.
      image: DockerImage.fromRegistry('unused'),
      local: {
        tryBundle(outputFolder) {
          writeFileSync(join(outputFolder, 'index.cjs'), bundleOf(source));
          return true;
        },
      },
    },
  });
}

function sourceOf(folder: string): string {
  return functionFolders().find((each) => basename(each) === folder) ?? join(LAMBDAS, folder);
}

/** The one file of a bundle, for those who need no asset. */
export function bundledCode(folder: string): string {
  return bundleOf(sourceOf(folder));
}

const COMMON = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  // Half of the words for scoring are not ASCII. Escaped, each letter would take six bytes.
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Parts of the SDK that no function needs. The file that replaces them says why that is safe. */
const SUBSTITUTES = Object.fromEntries(
  [
    '@aws/lambda-invoke-store',
    '@aws-sdk/credential-provider-node',
    '@aws-sdk/middleware-endpoint-discovery',
    '@smithy/core/checksum',
    '@smithy/core/event-streams',
  ].map((name) => [name, join(LAMBDAS, 'aws/sdk-substitutes.ts')]),
);

/** The DynamoDB client has a signer of its own, in lambdas/aws/request-signer.ts. */
const WITHOUT_SIGNER = { ...SUBSTITUTES, '@smithy/signature-v4': join(LAMBDAS, 'aws/sdk-substitutes.ts') };

const bundles = new Map<string, string>();

/** Bundles all functions at once: starting esbuild for each took half of the synth's time. */
function bundleOf(source: string): string {
  if (!bundles.has(source)) {
    const all = functionFolders();
    const isFunction = all.includes(source);
    const sources = isFunction ? all : [source];
    const codes = ownCode(sources).map((code, index) => ({ code, source: sources[index] ?? '' }));
    for (const needsSigner of [true, false]) {
      const group = codes.filter(({ code }) => !(isFunction && callsOnlyDynamoDb(code)) === needsSigner);
      if (group.length === 0) continue;
      const built = bundle(
        group.map(({ code }) => code),
        needsSigner ? SUBSTITUTES : WITHOUT_SIGNER,
      );
      for (const [index, { source }] of group.entries()) bundles.set(source, built[index] ?? '');
    }
  }
  return bundles.get(source) ?? '';
}

const callsOnlyDynamoDb = (code: string) => !/"@aws-sdk\/client-(?!dynamodb")/.test(code);

/** Every function that can be bundled. */
export function functionNames(): string[] {
  return functionFolders().map((folder) => basename(folder));
}

function functionFolders(): string[] {
  return readdirSync(LAMBDAS, { recursive: true, encoding: 'utf8' })
    .filter((file) => basename(file) === 'index.ts')
    .map((file) => join(LAMBDAS, dirname(file)));
}

/** Uses esbuild's API, because CDK's NodejsFunction starts npx per function at every synth. */
function bundle(sources: readonly string[], alias: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'lead-ingest-functions-'));
  try {
    const entryPoints = sources.map((code, index) => {
      const file = join(folder, `${index}.js`);
      writeFileSync(file, code);
      return file;
    });
    const { outputFiles, metafile } = buildSync({
      ...COMMON,
      entryPoints,
      outdir: folder,
      write: false,
      nodePaths: [PACKAGES],
      format: 'cjs',
      // Prefers ES modules, so that unused parts of the SDK are left out.
      mainFields: ['module', 'main'],
      alias,
      // The SDK reads its whole package.json for the version in its user agent: 2 KB of scripts and dependencies.
      loader: { '.json': 'empty' },
      // The SDK imports node:http for engines without TLS, as local ones are. As an import, that loads Node's WebSocket
      // client as well: 2.6 MB in every local function.
      supported: { 'dynamic-import': false },
      minify: true,
      metafile: true,
    });
    const data = Object.keys(metafile.inputs).filter((file) => /(?<!\/package)\.json$/.test(file));
    if (data.length > 0) throw new Error(`${data.join()} would be left out of the bundle`);
    return inOrder(outputFiles, ({ path }) => Number.parseInt(basename(path), 10));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Our own files as one per function, packages left out. No source map travels with the code; the names of our functions
 * do, so that stack traces stay readable. Keeping the packages' names too would make the import a tenth slower.
 */
function ownCode(sources: readonly string[]): string[] {
  const { outputFiles } = buildSync({
    ...COMMON,
    entryPoints: sources.map((source) => join(source, 'index.ts')),
    outdir: LAMBDAS,
    outbase: LAMBDAS,
    format: 'esm',
    packages: 'external',
    define: packedLists(),
    keepNames: true,
    write: false,
  });
  return inOrder(outputFiles, ({ path }) =>
    sources.findIndex((source) => basename(source) === basename(dirname(path))),
  );
}

function inOrder(files: readonly OutputFile[], placeOf: (file: OutputFile) => number): string[] {
  return files.toSorted((one, other) => placeOf(one) - placeOf(other)).map(({ text }) => text);
}

/** For esbuild's `define`: the lists that lambdas/scoring/lists.ts reads in a bundle. */
export function packedLists(): { PACKED_LISTS: string } {
  const packed = Object.entries(LIST_SOURCES).map(([name, make]) => [name, compress(make())]);
  return { PACKED_LISTS: JSON.stringify(JSON.stringify(Object.fromEntries(packed))) };
}

/** Cached by content: compressing takes half a second, which every synth would wait for. */
function compress(content: Buffer): string {
  const cache = cacheFolder('lists');
  const file = join(cache, createHash('sha256').update(content).digest('hex'));
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const compressed = brotliCompressSync(content).toString('base64');
  mkdirSync(cache, { recursive: true });
  // Renamed when complete: another process may read it.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, compressed);
  renameSync(draft, file);
  return compressed;
}
