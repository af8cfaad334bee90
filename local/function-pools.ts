import { availableParallelism } from 'node:os';
import type { Closers } from './closers.ts';
import { openFunctionLog, type Print } from './function-log.ts';
import { type FunctionPool, makeFunctionPool } from './function-pool.ts';
import { environmentVariables, findFunction, type Surroundings, unqualified } from './functions.ts';
import type { Assembly } from './synthesise.ts';
import type { TemplateReader } from './template.ts';

/** A pool of environments for each function that something leads to, whoever invokes it. */
export interface FunctionPools {
  /** Makes the function's pool, if nobody has yet. By its ARN, with or without a version or alias. */
  open(functionArn: string, use?: PoolUse): void;
  invoke(functionArn: string, event: string, signal?: AbortSignal): Promise<string>;
}

export interface FunctionPoolsSettings extends Surroundings {
  readonly assembly: Assembly;
  readonly reader: TemplateReader;
  readonly logFolder: string;
  readonly print: Print;
  /** Hears of each invocation that has ended: it may have written what an event source waits for. */
  readonly onInvoked: () => void;
}

/** Whether somebody waits for the function's answer, or it works off a stream or a queue. */
export type PoolUse = 'requests' | 'background';

/**
 * As many as can run at once, and two where there is but one processor, so that requests do overlap; half of that in the
 * background. Each more costs a heap of its own and its own compiling, and makes a small machine stumble.
 */
export const MAXIMUM_ENVIRONMENTS: Readonly<Record<PoolUse, number>> = {
  requests: Math.min(16, Math.max(2, availableParallelism())),
  background: Math.min(8, Math.max(1, Math.floor(availableParallelism() / 2))),
};

export function makeFunctionPools(settings: FunctionPoolsSettings, closers: Closers): FunctionPools {
  const pools = new Map<string, FunctionPool>();
  return {
    open(functionArn, use = 'requests') {
      const arn = unqualified(functionArn);
      if (!pools.has(arn)) pools.set(arn, makePool(arn, use, settings, closers));
    },
    invoke(functionArn, event, signal) {
      const pool = pools.get(unqualified(functionArn));
      if (pool === undefined) throw new Error(`no pool for ${functionArn}`);
      return pool.invoke(event, signal).finally(settings.onInvoked);
    },
  };
}

function makePool(
  functionArn: string,
  use: PoolUse,
  settings: FunctionPoolsSettings,
  closers: Closers,
): FunctionPool {
  const definition = findFunction(functionArn, settings.reader, settings.assembly);
  const log = openFunctionLog(settings.logFolder, definition.name, settings.print);
  closers.defer(() => log.close());
  const variables = environmentVariables(definition, settings);
  const pool = makeFunctionPool({
    ...{ definition, variables, log },
    maximumEnvironments: MAXIMUM_ENVIRONMENTS[use],
  });
  closers.defer(() => pool.close());
  return pool;
}
