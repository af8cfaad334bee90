/** What the load test can ask the stack. */
export type Question =
  | { readonly kind: 'kill-environment'; readonly draw: number }
  | { readonly kind: 'weigh' }
  | { readonly kind: 'failed-gate-writes' };

/** The heap of an environment after garbage collection. */
export interface Weight {
  readonly environment: string;
  readonly functionName: string;
  readonly heapBytes: number;
}

/** A gate write whose condition failed. */
export interface FailedGateWrite {
  readonly environment: string;
  readonly functionName: string;
  /** The minute's counter on its surface. */
  readonly window: string;
}

export interface Responses {
  /** The function whose environment was killed; null if there was none. */
  readonly 'kill-environment': string | null;
  readonly weigh: readonly Weight[];
  readonly 'failed-gate-writes': readonly FailedGateWrite[];
}

/** Between the stack's main thread and its environments. */
export const CHANNEL = 'load-test-tap';

export type EnvironmentNote =
  | { readonly kind: 'weigh' }
  | ({ readonly kind: 'weight' } & Weight)
  | ({ readonly kind: 'failed-gate-write' } & FailedGateWrite);
