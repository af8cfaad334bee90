import type { FunctionPools } from '../function-pool.ts';

/**
 * On one machine, functions that read from streams and queues take their time from those that accept leads and show them.
 * While somebody waits for a response, only one batch is worked on at once, so that a burst is accepted first.
 */
export interface Turns {
  /** For the gateways: somebody waits for the response of each invocation. */
  readonly responding: FunctionPools;
  /** Works on a batch when it is its turn. */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** A batch that takes longer waits for somebody else, such as a slow destination, and needs no processor meanwhile. */
const PATIENCE_MILLISECONDS = 500;

export function makeTurns(pools: FunctionPools, patience = PATIENCE_MILLISECONDS): Turns {
  const waiting: (() => void)[] = [];
  let responses = 0;
  let batches = 0;

  function begin(): void {
    while (waiting.length > 0 && (batches === 0 || responses === 0)) {
      batches += 1;
      waiting.shift()?.();
    }
  }

  return {
    responding: {
      open: pools.open,
      async invoke(...invocation) {
        responses += 1;
        try {
          return await pools.invoke(...invocation);
        } finally {
          responses -= 1;
          begin();
        }
      },
    },
    async take(work) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        begin();
      });
      const end = once(() => {
        batches -= 1;
        begin();
      });
      const timer = setTimeout(end, patience).unref();
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        end();
      }
    },
  };
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}
