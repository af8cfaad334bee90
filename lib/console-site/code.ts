import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';
import { buildConsole } from './build.ts';
import { writeSdk } from './build-sdk.ts';

const CONSOLE = fileURLToPath(new URL('../../console/', import.meta.url));

/** The built console and the SDK. As with the functions, a synth that bundles nothing builds nothing. */
export function consoleCode(scope: Construct, id: string): Asset {
  return new Asset(scope, id, {
    path: CONSOLE,
    // The hash of the output: an identical build is not deployed again.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Required by the interface, never pulled: local bundling always succeeds or throws.
      image: DockerImage.fromRegistry('unused'),
      local: {
        tryBundle(outputFolder) {
          writeConsole(outputFolder);
          return true;
        },
      },
    },
  });
}

/** Writes the files of the console's bucket that are the same for every stack. */
export function writeConsole(folder: string): void {
  cpSync(buildConsole(), folder, { recursive: true });
  writeSdk(folder);
}
