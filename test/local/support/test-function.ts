import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FunctionPool, makeFunctionPool } from '#local/function-pool.ts';

/** A pool of one environment for a function of which this is the source. */
export function makeTestFunction(source: string): FunctionPool {
  const codeFolder = mkdtempSync(join(tmpdir(), 'function-test-'));
  writeFileSync(join(codeFolder, 'index.cjs'), source);
  const pool = makeFunctionPool({
    definition: {
      name: 'Tried',
      arn: 'arn:aws:lambda:us-east-1:000000000000:function:Tried',
      codeFolder,
      handler: 'index.handler',
      timeoutSeconds: 5,
      memoryMegabytes: 128,
      logFormat: 'JSON',
      logGroup: '/aws/lambda/Tried',
      variables: {},
    },
    variables: { FOLDER: codeFolder },
    log: { follow: (output) => output.resume(), write: () => undefined, close: async () => undefined },
    maximumEnvironments: 1,
  });
  return {
    ...pool,
    async close() {
      await pool.close();
      rmSync(codeFolder, { recursive: true });
    },
  };
}
