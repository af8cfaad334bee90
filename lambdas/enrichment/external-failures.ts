import type { EnrichmentResult, ExternalSource, Facts } from './enrichment-item.ts';

/**
 * DNS or the provider did not respond. Carries a code and never their message, which may quote domains, addresses or
 * headers.
 */
export class ExternalFailure extends Error {
  override readonly name = 'ExternalFailure';
  readonly outside: ExternalSource;
  /** Whether a later retry may succeed. */
  readonly transient: boolean;
  readonly code: string;

  constructor(outside: ExternalSource, transient: boolean, code: unknown) {
    super(`${outside} gave no answer`);
    this.outside = outside;
    this.transient = transient;
    this.code = typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : 'UNKNOWN';
  }
}

const DELAYS_SECONDS = [5, 20, 60, 180];

/** Grows with every receive, with jitter: messages that failed together must not return together. */
export function retryDelaySeconds(receiveCount: number, random: number): number {
  const at = Math.min(Math.max(receiveCount, 1), DELAYS_SECONDS.length) - 1;
  const delay = DELAYS_SECONDS[at] as number;
  return Math.ceil(delay * (0.5 + random / 2));
}

/** Out of five receives before the dead-letter queue: an external outage must not send leads there. */
export const GIVE_UP_AT_RECEIVE = 4;

export interface Findings {
  readonly facts: Facts;
  /** DNS or provider, if asked and unavailable. */
  readonly failures: readonly ExternalFailure[];
  readonly receiveCount: number;
}

/**
 * | body       | facts | DNS or provider            | receive | outcome                         |
 * |------------|-------|----------------------------|---------|---------------------------------|
 * | readable   | some  | answered, or not asked     | any     | enriched                        |
 * | readable   | some  | unavailable                | 1 to 3  | retry                           |
 * | readable   | some  | unavailable                | from 4  | enriched, incomplete            |
 * | readable   | some  | refused                    | any     | enriched, incomplete            |
 * | readable   | none  | not asked                  | any     | failed: nothing_recognised      |
 * | unreadable |       | not asked                  | any     | failed: body_unreadable         |
 */
export function settle({ facts, failures, receiveCount }: Findings): EnrichmentResult | 'retry' {
  if (failures.some(({ transient }) => transient) && receiveCount < GIVE_UP_AT_RECEIVE) return 'retry';
  if (Object.keys(facts).length === 0) return { state: 'failed', facts, reason: 'nothing_recognised' };
  const incomplete = failures.map(({ outside }) => outside).sort();
  return incomplete.length > 0 ? { state: 'enriched', facts, incomplete } : { state: 'enriched', facts };
}

export interface CircuitBreaker {
  /** Does the work, or throws what `refusal` makes while the circuit is open. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface CircuitBreakerOptions {
  readonly now: () => number;
  readonly refusal: () => Error;
  /** Whether an error means that the other side is down, not that it rejected this question. */
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
