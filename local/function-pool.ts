import { availableParallelism } from 'node:os';
import { Environment, type FunctionSettings, InvocationError } from './environment.ts';
import { type FunctionLog, openFunctionLog, type Print } from './function-log.ts';
import {
  type CodeFolders,
  environmentVariables,
  findFunction,
  type Surroundings,
  unqualified,
} from './functions.ts';
import type { Closers } from './lifecycle.ts';
import type { Assembly } from './synthesize.ts';
import type { TemplateReader } from './template.ts';

/** The environments of one function. Each runs one invocation at a time; the rest wait. */
export interface FunctionPool {
  /** Returns the function's result as JSON. An invocation that is aborted while it waits never starts. */
  invoke(event: string, signal?: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

export interface PoolSettings extends FunctionSettings {
  readonly maximumEnvironments: number;
  /** How long an invocation waits for a busy environment before another one starts. */
  readonly patienceMilliseconds?: number;
  /** After how long without work an environment ends. Never by default. */
  readonly idleMilliseconds?: number;
  /** How many environments stay, however long they have no work. */
  readonly keptEnvironments?: number;
}

interface Idle {
  readonly environment: Environment;
  readonly since: number;
}

interface Waiting {
  readonly event: string;
  readonly since: number;
  readonly resolve: (payload: string) => void;
  readonly reject: (error: Error) => void;
}

export function makeFunctionPool(settings: PoolSettings): FunctionPool {
  const { maximumEnvironments: maximum, patienceMilliseconds: patience = 0 } = settings;
  const { idleMilliseconds = Number.POSITIVE_INFINITY, keptEnvironments: kept = 0 } = settings;
  const queue: Waiting[] = [];
  /** The one that has been idle for longest comes first; the last one gets the next invocation. */
  const idle: Idle[] = [];
  const all = new Set<Environment>();
  const ending = new Set<Promise<void>>();
  let starting = 0;
  let startedAt = 0;
  let closed = false;
  let losingPatience: NodeJS.Timeout | undefined;
  let ridding: NodeJS.Timeout | undefined;

  function start(): void {
    const environment = new Environment(settings);
    all.add(environment);
    starting += 1;
    void environment.ready
      .finally(() => {
        starting -= 1;
      })
      .then(
        () => {
          startedAt = performance.now();
          rest(environment);
        },
        (error: Error) => {
          all.delete(environment);
          // Rejects one invocation, so that a function that can't start fails its callers instead of retrying forever.
          queue.shift()?.reject(error);
        },
      )
      .then(dispatch);
  }

  async function run(environment: Environment, waiting: Waiting): Promise<void> {
    await environment.invoke(waiting.event).then(waiting.resolve, waiting.reject);
    if (environment.alive) rest(environment);
    else all.delete(environment);
    dispatch();
  }

  function rest(environment: Environment): void {
    idle.push({ environment, since: performance.now() });
    if (Number.isFinite(idleMilliseconds)) ridding ??= setTimeout(endIdle, idleMilliseconds).unref();
  }

  /** An ending environment is in no list any more: an invocation that comes meanwhile starts another one. */
  function endIdle(): void {
    ridding = undefined;
    if (closed) return;
    while (idle[0] && all.size > kept) {
      const left = idle[0].since + idleMilliseconds - performance.now();
      if (left > 0) {
        ridding = setTimeout(endIdle, left).unref();
        return;
      }
      const { environment } = idle.shift() as Idle;
      all.delete(environment);
      const end = environment.end().finally(() => ending.delete(end));
      ending.add(end);
    }
  }

  function dispatch(): void {
    if (closed) return;
    while (queue.length > 0 && idle.length > 0) {
      const { environment } = idle.pop() as Idle;
      // A function may leave something behind that kills its environment after the response.
      if (environment.alive) void run(environment, queue.shift() as Waiting);
      else all.delete(environment);
    }
    clearTimeout(losingPatience);
    while (starting < queue.length && all.size < maximum) {
      // Others that wait for the first environment don't need a second one.
      if (starting > 0 && patience > 0) return;
      const since = Math.max(startedAt, (queue[starting] as Waiting).since);
      const waited = performance.now() - since;
      if (all.size > 0 && waited < patience) {
        losingPatience = setTimeout(dispatch, patience - waited);
        return;
      }
      start();
    }
  }

  return {
    invoke(event, signal) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new InvocationError('the function is shut down'));
        const waiting: Waiting = { event, since: performance.now(), resolve, reject };
        signal?.addEventListener('abort', () => {
          const position = queue.indexOf(waiting);
          if (position >= 0) queue.splice(position, 1);
          reject(new InvocationError('the invocation was aborted'));
        });
        queue.push(waiting);
        dispatch();
      });
    },
    async close() {
      closed = true;
      clearTimeout(losingPatience);
      clearTimeout(ridding);
      for (const waiting of queue.splice(0)) waiting.reject(new InvocationError('the function is shut down'));
      await Promise.all([...ending, ...[...all].map((environment) => environment.end())]);
    },
  };
}

/** One pool per function that has a route or an event source. */
export interface FunctionPools {
  /** Creates the function's pool if needed. The ARN may have a version or alias. */
  open(functionArn: string, use?: PoolUse): void;
  invoke(functionArn: string, event: string, signal?: AbortSignal): Promise<string>;
}

export interface MappedPools extends FunctionPools {
  /**
   * A pool for one queue's mapping, as large as its concurrency: like two mappings of one function on Lambda, it
   * doesn't wait for the others.
   */
  openMapped(functionArn: string, maximumConcurrency: number): Pick<FunctionPool, 'invoke'>;
}

export interface FunctionPoolsSettings extends Surroundings {
  readonly assembly: Assembly;
  readonly reader: TemplateReader;
  readonly codeFolders?: CodeFolders | undefined;
  readonly logFolder: string;
  readonly print: Print;
  /** Called after each invocation, which may have written what an event source waits for. */
  readonly onInvoked: () => void;
}

/** Whether senders or owners wait for the function's response, or it works by itself, as with a stream, queue or schedule. */
export type PoolUse = 'intake' | 'requests' | 'background' | 'schedule';
const isAwaited = (use: PoolUse) => use === 'intake' || use === 'requests';

/**
 * One per processor, but at least two so that requests overlap, and half of that for streams and schedules. Each one has its
 * own heap and compiled code, which slows small machines down.
 */
export const MAXIMUM_ENVIRONMENTS = {
  requests: Math.min(16, Math.max(2, availableParallelism())),
  background: Math.min(8, Math.max(1, Math.floor(availableParallelism() / 2))),
};

/** An environment takes some 30 MB. A batch of messages is usually done before another one would be ready. */
const BACKGROUND_PATIENCE_MILLISECONDS = 3_000;

/** Lambda, too, ends environments after some minutes. One that accepts leads stays. */
const IDLE_MILLISECONDS = 5 * 60_000;
/** One that looks for work each minute would never end, and a new one takes less than 0.1 s. */
const SCHEDULE_IDLE_MILLISECONDS = 15_000;

export function makeFunctionPools(settings: FunctionPoolsSettings, closers: Closers): MappedPools {
  const pools = new Map<string, FunctionPool>();
  const logs = new Map<string, FunctionLog>();

  /** The pools of one function share its log. */
  function logOf(functionName: string): FunctionLog {
    const known = logs.get(functionName);
    if (known) return known;
    const log = openFunctionLog(settings.logFolder, functionName, settings.print);
    closers.defer(() => log.close());
    logs.set(functionName, log);
    return log;
  }

  function makePool(functionArn: string, maximumEnvironments: number, use: PoolUse): FunctionPool {
    const { reader, assembly, codeFolders } = settings;
    const definition = findFunction(functionArn, reader, assembly, codeFolders);
    const variables = environmentVariables(definition, settings);
    const log = logOf(definition.name);
    const pool = makeFunctionPool({
      definition,
      variables,
      log,
      maximumEnvironments,
      patienceMilliseconds: isAwaited(use) ? 0 : BACKGROUND_PATIENCE_MILLISECONDS,
      idleMilliseconds: use === 'schedule' ? SCHEDULE_IDLE_MILLISECONDS : IDLE_MILLISECONDS,
      keptEnvironments: use === 'intake' ? 1 : 0,
    });
    closers.defer(() => pool.close());
    return pool;
  }

  return {
    open(functionArn, use = 'requests') {
      const arn = unqualified(functionArn);
      const size = MAXIMUM_ENVIRONMENTS[isAwaited(use) ? 'requests' : 'background'];
      if (!pools.has(arn)) pools.set(arn, makePool(arn, size, use));
    },
    openMapped(functionArn, maximumConcurrency) {
      const size = Math.min(maximumConcurrency, Math.max(2, MAXIMUM_ENVIRONMENTS.background));
      const pool = makePool(unqualified(functionArn), size, 'background');
      return { invoke: (event, signal) => pool.invoke(event, signal).finally(settings.onInvoked) };
    },
    invoke(functionArn, event, signal) {
      const pool = pools.get(unqualified(functionArn));
      if (pool === undefined) throw new Error(`no pool for ${functionArn}`);
      return pool.invoke(event, signal).finally(settings.onInvoked);
    },
  };
}
