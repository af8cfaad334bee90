import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

interface Call {
  readonly command: string;
  readonly startedAt: number;
  endedAt: number;
}

type Fault = (command: string, input: unknown) => Error | undefined | Promise<undefined>;

/** Records every call of a client, and can make calls fail or wait. */
export interface RecordedCalls {
  /** The commands since the last reset, in order. */
  commands(): string[];
  /** The longest chain of calls that each began after the previous one had ended. */
  inSequence(): number;
  reset(): void;
  /** Called before each call. A returned error is thrown instead of sending it. */
  injectBefore(fault: Fault | undefined): void;
  /** Called after each call. A returned error hides the response, as if it were lost. */
  injectAfter(fault: Fault | undefined): void;
}

/** Works with every client of the SDK. */
export function recordCalls(client: Pick<DynamoDBClient, 'middlewareStack'>): RecordedCalls {
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
