/** What the load test asks of the stack that it has started with a tap in it. */
export type Question =
  | { readonly kind: 'kill-environment'; readonly draw: number }
  | { readonly kind: 'weigh' }
  | { readonly kind: 'failed-gate-writes' };

/** The name of the function whose environment was killed; null where there was none to kill. */
export type Killed = string | null;

/** What an environment still needs after all that it does not has been collected. */
export interface Weight {
  readonly environment: string;
  readonly functionName: string;
  readonly heapBytes: number;
}

/** A write of the gate whose condition DynamoDB found not to hold. */
export interface FailedGateWrite {
  readonly environment: string;
  readonly functionName: string;
  /** The minute's counter on its surface. */
  readonly window: string;
}

export interface Answers {
  readonly 'kill-environment': Killed;
  readonly weigh: readonly Weight[];
  readonly 'failed-gate-writes': readonly FailedGateWrite[];
}

/** Between the stack's main thread and its environments. */
export const CHANNEL = 'load-test-tap';

export type EnvironmentNote =
  | { readonly kind: 'weigh' }
  | ({ readonly kind: 'weight' } & Weight)
  | ({ readonly kind: 'failed-gate-write' } & FailedGateWrite);
