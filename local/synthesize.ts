import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONSOLE_SOURCES } from '../lib/console-site/build.ts';
import { CACHE_VARIABLE, hashOf, keepNewest, makeDraft, publish } from '../lib/kept-builds.ts';
import { compileCacheVariables } from './compile-cache.ts';
import type { DataDirectory } from './data-directory.ts';
import { type Closers, StartupError } from './lifecycle.ts';
import type { Template } from './template.ts';

/** The output of `cdk synth`: the only source of what the local stack serves. */
export interface Assembly {
  readonly stackName: string;
  readonly template: Template;
  /** The folder that holds the code published under a key of the asset bucket. */
  assetFolder(objectKey: string): string;
}

/** Without the deployer's own settings, which name resources on AWS, and with what can be tried without AWS. */
const LOCAL_CONTEXT = { stage: 'dev', eventBus: 'true', mailFrom: 'leads@example.com' };

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What the output depends on, beside the packages, Node and the settings. */
export const ASSEMBLY_SOURCES = [
  ...CONSOLE_SOURCES,
  'lib',
  'bin/lead-ingest.ts',
  'cdk.json',
  'package.json',
  'tsconfig.json',
  // What is installed, which may differ from what package-lock.json says.
  'node_modules/.package-lock.json',
];

/** Variables that change what Node, CDK or Vite do. */
const READ_BY_TOOLS = /^(?:CDK_|VITE_|NODE_ENV$|NODE_OPTIONS$)/;

/** Runs the CDK app, unless its output for the same sources and settings was kept, and reads the output. */
export async function synthesize(
  { assembly: folder, cache }: Pick<DataDirectory, 'assembly' | 'cache'>,
  closers: Closers,
  chosen: Readonly<Record<string, boolean>> = {},
): Promise<Assembly> {
  const context = { ...LOCAL_CONTEXT, ...chosen };
  // Otherwise the assets of earlier versions would pile up.
  await rm(folder, { recursive: true, force: true });
  const outputs = join(cache, 'assemblies');
  const key = keyOfSources(context);
  if (!(await copyKept(join(outputs, key), folder))) {
    await runApp({ folder, cache, context }, closers);
    // Not if a source was changed meanwhile: nobody knows which version of it is in the output.
    if (keyOfSources(context) === key) await keep(folder, outputs, key).catch(() => undefined);
  }
  return readAssembly(folder);
}

function keyOfSources(context: object): string {
  const read = Object.entries(appEnvironment()).filter(([name]) => READ_BY_TOOLS.test(name));
  const node = [process.version, process.platform, process.arch];
  return hashOf(
    ASSEMBLY_SOURCES.map((path) => join(ROOT, path)),
    [context, node, read.sort()],
  );
}

/** A copy, because a later start may remove the kept one while this stack still reads its functions. */
async function copyKept(kept: string, folder: string): Promise<boolean> {
  if (!existsSync(kept)) return false;
  try {
    await cp(kept, folder, { recursive: true });
    keepNewest(join(kept, '..'), kept);
    return true;
  } catch {
    // Removed in this moment, or damaged.
    await rm(folder, { recursive: true, force: true });
    return false;
  }
}

async function keep(folder: string, outputs: string, key: string): Promise<void> {
  const draft = makeDraft(outputs);
  await cp(folder, draft, { recursive: true });
  publish(draft, join(outputs, key));
  keepNewest(outputs, join(outputs, key));
}

function appEnvironment(): NodeJS.ProcessEnv {
  const { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION, ...environment } = process.env;
  return environment;
}

interface AppRun {
  readonly folder: string;
  readonly cache: string;
  readonly context: object;
}

async function runApp({ folder, cache, context }: AppRun, closers: Closers): Promise<void> {
  // In its own process group, so that esbuild and other children end with it.
  const app = spawn(process.execPath, ['bin/lead-ingest.ts'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...appEnvironment(),
      ...compileCacheVariables(),
      [CACHE_VARIABLE]: cache,
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      // Validation takes 5 of 7 seconds and only matters for deployments. `npm run synth` does it.
      CDK_VALIDATION: 'false',
    },
  });
  const output: Buffer[] = [];
  app.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  app.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const closed = once(app, 'close');
  closers.defer(async () => {
    if (app.exitCode !== null || app.signalCode !== null || app.pid === undefined) return;
    process.kill(-app.pid, 'SIGTERM');
    await closed;
  });
  const [code] = await closed;
  if (code !== 0) {
    const said = Buffer.concat(output).toString().trim();
    throw new StartupError(`The stack could not be synthesized:\n${said}`);
  }
}

interface Manifest {
  readonly artifacts: Record<string, { type: string; properties: { templateFile?: string; file?: string } }>;
}

interface AssetManifest {
  readonly files: Record<
    string,
    { source: { path: string }; destinations: Record<string, { objectKey: string }> }
  >;
}

/** Reads a cloud assembly of one stack: https://github.com/aws/aws-cdk-cli (cloud-assembly-schema). */
export async function readAssembly(folder: string): Promise<Assembly> {
  const readJson = async (file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'));
  const { artifacts } = (await readJson('manifest.json')) as Manifest;
  const ofType = (type: string) => Object.entries(artifacts).filter(([, artifact]) => artifact.type === type);
  const [[stackName, stack] = [], second] = ofType('aws:cloudformation:stack');
  if (stackName === undefined || stack?.properties.templateFile === undefined || second !== undefined) {
    throw new StartupError('The CDK app must define exactly one stack.');
  }
  const template = (await readJson(stack.properties.templateFile)) as Template;
  const folders = new Map<string, string>();
  for (const [, { properties }] of ofType('cdk:asset-manifest')) {
    if (properties.file === undefined) continue;
    const { files } = (await readJson(properties.file)) as AssetManifest;
    for (const { source, destinations } of Object.values(files)) {
      for (const { objectKey } of Object.values(destinations))
        folders.set(objectKey, join(folder, source.path));
    }
  }
  return {
    stackName,
    template,
    assetFolder(objectKey) {
      const found = folders.get(objectKey);
      if (found === undefined) throw new StartupError(`The synthesized stack has no asset ${objectKey}.`);
      return found;
    },
  };
}
