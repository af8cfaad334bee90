import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { QUEUE_VARIABLES, SETTINGS_VARIABLES, TABLE_VARIABLES } from '../../lambdas/contract.ts';
import { makeApp } from '../../lib/lead-ingest-app.ts';
import { ownFunctions, withAssembly } from './synthesise.ts';

const NAMES = [TABLE_VARIABLES, QUEUE_VARIABLES, SETTINGS_VARIABLES].flatMap((group) => Object.values(group));
const VARIABLES = Object.fromEntries(NAMES.map((name) => [name, name]));

/** Loads a bundle as Lambda's runtime does, in a process of its own. */
function typeOfHandler(bundle: string): string {
  const script = `process.stdout.write(typeof require(${JSON.stringify(bundle)}).handler)`;
  const env = { ...VARIABLES, AWS_REGION: 'eu-central-1' };
  return execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8' });
}

/** What Lambda loads at each cold start of a submission's function. */
const MAX_BYTES = 420_000;

/** Credential providers other than the environment, endpoint discovery, event streams: what lib/service-function/code.ts replaces. */
const PARTS_OF_THE_SDK_LEFT_OUT =
  /AssumeRoleWithWebIdentity|credential_process|endpoint_discovery_enabled|:event-type/;

test('each function is one file, in which Lambda finds the handler', () => {
  withAssembly((outdir) => {
    const assembly = quietly(() => makeApp({ outdir, builtinCloudFormationValidation: false }).synth());
    const functions = Object.values(
      ownFunctions(Template.fromJSON(assembly.getStackByName('LeadIngest-dev').template)),
    );
    expect(functions).toHaveLength(10);
    const ingest: number[] = [];
    for (const { Properties } of functions) {
      const bundle = `asset.${Properties.Code.S3Key.replace(/\.zip$/, '')}`;
      expect(readdirSync(join(outdir, bundle))).toEqual(['index.cjs']);
      expect(typeOfHandler(join(outdir, bundle, 'index.cjs'))).toBe('function');
      const code = readFileSync(join(outdir, bundle, 'index.cjs'), 'utf8');
      expect(code).not.toMatch(PARTS_OF_THE_SDK_LEFT_OUT);
      if (/makeIngest(Server|Webhook)/.test(code)) ingest.push(Buffer.byteLength(code));
    }
    // Also that names of our functions are kept, for stack traces.
    expect(ingest).toHaveLength(2);
    expect(Math.max(...ingest)).toBeLessThanOrEqual(MAX_BYTES);
  });
});

/** CDK reports on stderr that it bundles. */
function quietly<Result>(work: () => Result): Result {
  const { write } = process.stderr;
  process.stderr.write = () => true;
  try {
    return work();
  } finally {
    process.stderr.write = write;
  }
}
