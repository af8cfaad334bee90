import type { Enrichment, enrichmentState } from '../core/enrichment/enrichment-item.ts';
import type { Lead } from '../core/lead-item.ts';
import type { StoreContext } from './tables.ts';

/** Both parts of a lead together. */
export interface WholeLead {
  readonly lead: Lead;
  readonly state: ReturnType<typeof enrichmentState>;
  readonly enrichment: Enrichment | undefined;
}

/** A reader of leads needs the time: an expired lead may still be stored. */
export interface LeadReaderContext extends StoreContext<'leads'> {
  readonly now: () => number;
}
