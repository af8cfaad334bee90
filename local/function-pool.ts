import { Environment, type FunctionSettings, InvocationError } from './environment.ts';

/** The environments of one function: each runs one invocation at a time, the rest wait their turn. */
export interface FunctionPool {
  /** Gives the function's result as JSON. An aborted invocation that still waits is never started. */
  invoke(event: string, signal?: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

export interface PoolSettings extends FunctionSettings {
  readonly maximumEnvironments: number;
}

interface Waiting {
  readonly event: string;
  readonly resolve: (payload: string) => void;
  readonly reject: (error: Error) => void;
}

export function makeFunctionPool(settings: PoolSettings): FunctionPool {
  const { maximumEnvironments: maximum } = settings;
  const queue: Waiting[] = [];
  const idle: Environment[] = [];
  const all = new Set<Environment>();
  let starting = 0;
  let closed = false;

  function start(): void {
    const environment = new Environment(settings);
    all.add(environment);
    starting += 1;
    void environment.ready
      .finally(() => {
        starting -= 1;
      })
      .then(
        () => idle.push(environment),
        (error: Error) => {
          all.delete(environment);
          // Takes one with it, so that a function which cannot start answers everybody instead of being retried for ever.
          queue.shift()?.reject(error);
        },
      )
      .then(dispatch);
  }

  async function run(environment: Environment, waiting: Waiting): Promise<void> {
    await environment.invoke(waiting.event).then(waiting.resolve, waiting.reject);
    if (environment.alive) idle.push(environment);
    else all.delete(environment);
    dispatch();
  }

  function dispatch(): void {
    if (closed) return;
    while (queue.length > 0 && idle.length > 0) {
      const environment = idle.pop() as Environment;
      // A function may leave something behind that kills its environment after it has answered.
      if (environment.alive) void run(environment, queue.shift() as Waiting);
      else all.delete(environment);
    }
    while (starting < queue.length && all.size < maximum) start();
  }

  return {
    invoke(event, signal) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new InvocationError('the function is shut down'));
        const waiting: Waiting = { event, resolve, reject };
        signal?.addEventListener('abort', () => {
          const position = queue.indexOf(waiting);
          if (position >= 0) queue.splice(position, 1);
          reject(new InvocationError('nobody waits for it any more'));
        });
        queue.push(waiting);
        dispatch();
      });
    },
    async close() {
      closed = true;
      for (const waiting of queue.splice(0)) waiting.reject(new InvocationError('the function is shut down'));
      await Promise.all([...all].map((environment) => environment.end()));
    },
  };
}
