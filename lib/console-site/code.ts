import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';
import { buildConsole } from './build.ts';

const CONSOLE = fileURLToPath(new URL('../../console/', import.meta.url));

/** The built console. As with the functions, a synth that bundles nothing builds nothing. */
export function consoleCode(scope: Construct, id: string): Asset {
  return new Asset(scope, id, {
    path: CONSOLE,
    // The hash of what is deployed: a build that comes out the same is not deployed again.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Required by the interface, never pulled: local bundling always succeeds or throws.
      image: DockerImage.fromRegistry('unused'),
      local: {
        tryBundle(outputFolder) {
          cpSync(buildConsole(), outputFolder, { recursive: true });
          return true;
        },
      },
    },
  });
}
