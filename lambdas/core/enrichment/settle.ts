import type { EnrichmentResult } from './enrichment-item.ts';
import type { Facts } from './facts.ts';
import type { OutsideFailure } from './failures.ts';

/** Of five receives before the dead-letter queue: an outage outside must not send leads there. */
export const GIVE_UP_AT_RECEIVE = 4;

export interface Findings {
  readonly facts: Facts;
  /** Of DNS and provider, those that were asked and did not answer. */
  readonly troubles: readonly OutsideFailure[];
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
export function settle({ facts, troubles, receiveCount }: Findings): EnrichmentResult | 'retry' {
  if (troubles.some(({ transient }) => transient) && receiveCount < GIVE_UP_AT_RECEIVE) return 'retry';
  if (Object.keys(facts).length === 0) return { state: 'failed', facts, reason: 'nothing_recognised' };
  const incomplete = troubles.map(({ outside }) => outside).sort();
  return incomplete.length > 0 ? { state: 'enriched', facts, incomplete } : { state: 'enriched', facts };
}
