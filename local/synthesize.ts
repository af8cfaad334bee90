import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCacheVariables } from './compile-cache.ts';
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

/** Runs the CDK app and reads its output. */
export async function synthesize(
  folder: string,
  closers: Closers,
  chosen: Readonly<Record<string, boolean>> = {},
): Promise<Assembly> {
  // Otherwise the assets of earlier versions would pile up.
  await rm(folder, { recursive: true, force: true });
  await runApp(folder, { ...LOCAL_CONTEXT, ...chosen }, closers);
  return readAssembly(folder);
}

async function runApp(folder: string, context: object, closers: Closers): Promise<void> {
  const { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION, ...environment } = process.env;
  // In its own process group, so that esbuild and other children end with it.
  const app = spawn(process.execPath, ['bin/lead-ingest.ts'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      ...compileCacheVariables(),
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
