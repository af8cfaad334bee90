import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';

const LAMBDAS = fileURLToPath(new URL('../../lambdas/', import.meta.url));

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

const COMMON = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  // Half of the scoring's words are not ASCII: escaped, each letter would take six bytes.
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Parts of the SDK that no function needs, and what stands in for them. Each file says why that is safe. */
const STAND_INS = {
  '@aws-sdk/credential-provider-node': join(LAMBDAS, 'stores/environment-credentials.ts'),
  '@aws-sdk/middleware-endpoint-discovery': join(LAMBDAS, 'stores/no-endpoint-discovery.ts'),
  '@smithy/core/event-streams': join(LAMBDAS, 'stores/no-event-streams.ts'),
};

/** By esbuild's own API: CDK's NodejsFunction starts npx for each function, at every synth. */
function bundle(entryPoint: string, outfile: string): void {
  buildSync({
    ...COMMON,
    stdin: { contents: ownCode(entryPoint), resolveDir: LAMBDAS },
    outfile,
    format: 'cjs',
    // ES modules where a package has them: unused parts of the SDK fall away.
    mainFields: ['module', 'main'],
    alias: STAND_INS,
    minify: true,
  });
}

/**
 * Our own files as one, packages left out. No source map travels with the code; the names of our functions do, so that
 * stack traces stay readable. Keeping the packages' names too would make the import a tenth slower.
 */
function ownCode(entryPoint: string): string {
  const { outputFiles } = buildSync({
    ...COMMON,
    entryPoints: [entryPoint],
    format: 'esm',
    packages: 'external',
    keepNames: true,
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}
