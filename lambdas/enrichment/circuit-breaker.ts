export interface CircuitBreaker {
  /** Does the work, or throws what `refusal` makes while the circuit is open. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface CircuitBreakerOptions {
  readonly now: () => number;
  readonly refusal: () => Error;
  /** Whether an error says that the other side is down, rather than that it disliked a question. */
  readonly isOutage: (error: unknown) => boolean;
  readonly failuresToOpen?: number;
  readonly openMilliseconds?: number;
}

/**
 * ```
 * closed ── 5 outages in a row ──> open ── 30 s ──> half open: one probe ── works ──> closed
 *                                   ^───────────────────────────────── outage ──┘
 * ```
 * Memory of one environment: the others find out by themselves, with five calls each.
 */
export function makeCircuitBreaker({
  now,
  refusal,
  isOutage,
  failuresToOpen = 5,
  openMilliseconds = 30_000,
}: CircuitBreakerOptions): CircuitBreaker {
  let outages = 0;
  let openUntil = 0;
  let probing = false;

  function outageSeen(): void {
    outages += 1;
    if (outages >= failuresToOpen) openUntil = now() + openMilliseconds;
  }

  return {
    async run(work) {
      const halfOpen = outages >= failuresToOpen;
      if (halfOpen && (probing || now() < openUntil)) throw refusal();
      if (halfOpen) probing = true;
      try {
        const result = await work();
        outages = 0;
        return result;
      } catch (error) {
        if (isOutage(error)) outageSeen();
        else outages = 0;
        throw error;
      } finally {
        if (halfOpen) probing = false;
      }
    },
  };
}
