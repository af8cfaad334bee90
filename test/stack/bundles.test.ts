import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { TABLE_VARIABLES } from '../../lambdas/contract.ts';
import { makeApp } from '../../lib/lead-ingest-app.ts';
import { withAssembly } from './synthesise.ts';

const VARIABLES = Object.fromEntries(Object.values(TABLE_VARIABLES).map((name) => [name, name]));

/** Loads a bundle as Lambda's runtime does, in a process of its own. */
function typeOfHandler(bundle: string): string {
  const script = `process.stdout.write(typeof require(${JSON.stringify(bundle)}).handler)`;
  const env = { ...VARIABLES, AWS_REGION: 'eu-central-1' };
  return execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8' });
}

test('each function is one file, in which Lambda finds the handler', () => {
  // CDK tells on stderr that it bundles.
  const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  withAssembly((outdir) => {
    makeApp({ outdir, builtinCloudFormationValidation: false }).synth();
    const bundles = readdirSync(outdir).filter((name) => name.startsWith('asset.'));
    expect(bundles).toHaveLength(3);
    for (const bundle of bundles) {
      expect(readdirSync(join(outdir, bundle))).toEqual(['index.cjs']);
      expect(typeOfHandler(join(outdir, bundle, 'index.cjs'))).toBe('function');
    }
  });
  stderr.mockRestore();
}, 60_000);
