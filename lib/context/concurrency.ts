import { type Origin, refuse } from './origin.ts';
import { type GivenInputs, type InputKey, LEAST_CONCURRENCY } from './schema.ts';

/** How many functions may work on each queue at the same time. */
export interface ConcurrencySettings {
  readonly enrichment: number;
  readonly index: number;
  readonly dispatch: number;
  readonly send: number;
  readonly slowLane: number;
}

/** In a small account no mapping is on, so that raising the concurrency of one would do nothing. */
export function readConcurrency(origin: Origin, given: GivenInputs): ConcurrencySettings {
  const keys = Object.keys(given) as InputKey[];
  const raised = keys.find((key) => key.endsWith('Concurrency') && given[key] !== LEAST_CONCURRENCY);
  if (given.smallAccount && raised !== undefined) {
    refuse(origin, raised, 'has no effect with "smallAccount": set only one of them.');
  }
  return {
    enrichment: given.enrichmentConcurrency,
    index: given.indexConcurrency,
    dispatch: given.dispatchConcurrency,
    send: given.sendingConcurrency,
    slowLane: given.slowLaneConcurrency,
  };
}
