import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Architecture, type CfnFunction, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { lambdaCode } from '../../lib/service-function/code.ts';
import { readAssembly } from '../../local/synthesize.ts';

/** Bundles exactly as deployed. Sources are folders of lambdas/, or paths relative to it. */
export interface Bundles {
  readonly folderOf: (source: string) => string;
  readonly bytesOf: (source: string) => number;
  remove(): void;
}

export async function makeBundles(sources: readonly string[]): Promise<Bundles> {
  const outdir = mkdtempSync(join(tmpdir(), 'lead-ingest-bench-'));
  const app = new App({ outdir, analyticsReporting: false });
  const stack = new Stack(app, 'Bundles');
  const keys = sources.map((source, index) => {
    const made = new LambdaFunction(stack, `Function${index}`, {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: lambdaCode(source),
    });
    const { code } = made.node.defaultChild as CfnFunction;
    return (code as CfnFunction.CodeProperty).s3Key as string;
  });
  app.synth();
  const assembly = await readAssembly(outdir);
  const folderOf = (source: string) => assembly.assetFolder(keys[sources.indexOf(source)] as string);
  return {
    folderOf,
    bytesOf: (source) => {
      const folder = folderOf(source);
      return readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    },
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  };
}
