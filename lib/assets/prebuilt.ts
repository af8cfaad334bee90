import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';

// The code that the stack deploys, as packages/cdk/build.ts has built it into the package.

/** Beside lib/ in the package. */
const BUILT = fileURLToPath(new URL('../../assets/', import.meta.url));

/** The bundle of a function. Hashed like one that is built from source, so that both are the same asset. */
export function lambdaCode(folder: string): Code {
  return Code.fromAsset(join(BUILT, 'functions', folder));
}

/** The built console and the SDK. */
export function consoleCode(scope: Construct, id: string): Asset {
  return new Asset(scope, id, { path: join(BUILT, 'console') });
}
