import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

interface Call {
  readonly command: string;
  readonly startedAt: number;
  endedAt: number;
}

type Fault = (command: string, input: unknown) => Error | undefined | Promise<undefined>;

/** Watches every call that a client makes, and can make calls fail or wait. */
export interface RecordedCalls {
  /** The commands since the last reset, in order. */
  commands(): string[];
  /** The longest chain of calls of which each began after the one before it had ended. */
  inSequence(): number;
  reset(): void;
  /** Called before each call is sent: an error given is thrown in its place. */
  injectBefore(fault: Fault | undefined): void;
  /** Called after each call has been carried out: an error given hides the answer, as a lost response does. */
  injectAfter(fault: Fault | undefined): void;
}

export function recordCalls(client: DynamoDBClient): RecordedCalls {
  let calls: Call[] = [];
  let tick = 0;
  let before: Fault | undefined;
  let after: Fault | undefined;

  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = (context.commandName ?? '').replace(/Command$/, '');
      tick += 1;
      const call = { command, startedAt: tick, endedAt: Number.POSITIVE_INFINITY };
      calls.push(call);
      try {
        const early = await before?.(command, args.input);
        if (early) throw early;
        const result = await next(args);
        const late = await after?.(command, args.input);
        if (late) throw late;
        return result;
      } finally {
        tick += 1;
        call.endedAt = tick;
      }
    },
    { step: 'initialize', name: 'recordCalls' },
  );

  return {
    commands: () => calls.map(({ command }) => command),
    inSequence: () => longestChain(calls),
    reset: () => {
      calls = [];
    },
    injectBefore: (fault) => {
      before = fault;
    },
    injectAfter: (fault) => {
      after = fault;
    },
  };
}

function longestChain(calls: readonly Call[]): number {
  const depths: number[] = [];
  for (const [index, call] of calls.entries()) {
    const earlier = calls
      .slice(0, index)
      .map((other, at) => (other.endedAt < call.startedAt ? (depths[at] ?? 0) : 0));
    depths.push(1 + Math.max(0, ...earlier));
  }
  return Math.max(0, ...depths);
}
