import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

const LAMBDAS = fileURLToPath(new URL('../lambdas/', import.meta.url));

/**
 * The bundle of one folder of lambdas/: a single file, `index.cjs`. The ending says CommonJS by itself, on Lambda as
 * under a package.json of type "module"; Lambda's runtime finds it for the handler `index.handler`.
 */
export function lambdaCode(folder: string): Code {
  const source = join(LAMBDAS, folder);
  return Code.fromAsset(source, {
    // The hash of what is deployed: a comment or a test changes nothing, a new SDK does.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Required by the interface, never pulled: local bundling always succeeds or throws.
      image: DockerImage.fromRegistry('unused'),
      local: {
        tryBundle(outputFolder) {
          bundle(join(source, 'index.ts'), join(outputFolder, 'index.cjs'));
          return true;
        },
      },
    },
  });
}

/** By esbuild's own API: CDK's NodejsFunction starts npx for each function, at every synth. */
function bundle(entryPoint: string, outfile: string): void {
  buildSync({
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // ES modules where a package has them: unused parts of the SDK fall away.
    mainFields: ['module', 'main'],
    // On Lambda credentials come from the environment: the SDK's other providers would only be weight.
    alias: { '@aws-sdk/credential-provider-node': join(LAMBDAS, 'stores/environment-credentials.ts') },
    minify: true,
    // Half of the scoring's words are not ASCII: escaped, each letter would take six bytes.
    charset: 'utf8',
    // No source map travels with the code; names in stack traces stay readable instead.
    keepNames: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
}
