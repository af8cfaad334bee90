import type { Facts } from './facts.ts';
import type { Outside } from './failures.ts';

export const FAILURE_REASONS = ['body_unreadable', 'nothing_recognised'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** What enrichment found, beside what it could not ask. */
export type EnrichmentResult =
  | { readonly state: 'enriched'; readonly facts: Facts; readonly incomplete?: readonly Outside[] }
  | { readonly state: 'failed'; readonly facts: Facts; readonly reason: FailureReason };

export type Enrichment = EnrichmentResult & {
  readonly leadId: string;
  readonly enrichedAt: string;
  /** How often the message had been received when this was written. */
  readonly attempts: number;
  /** The lead's own: they go at the same time. */
  readonly expiresAt?: number | undefined;
};

const SCHEMA_VERSION = 1;

export function toEnrichmentItem(enrichment: Enrichment) {
  return { ...enrichment, part: 'enrichment', v: SCHEMA_VERSION };
}

/** When it goes is not among what was found out, and the lead tells it. */
export function fromEnrichmentItem(item: Readonly<Record<string, unknown>>): Enrichment {
  const { part: _part, v: _version, expiresAt: _expiresAt, ...enrichment } = item;
  return enrichment as Enrichment;
}

export type EnrichmentState = 'pending' | 'enriched' | 'failed' | 'skipped';

/** Only two states are stored: the others follow from the lead and from nothing being there. */
export function enrichmentState(
  lead: { readonly clean?: unknown },
  enrichment: Pick<Enrichment, 'state'> | undefined,
): EnrichmentState {
  if (lead.clean !== true) return 'skipped';
  return enrichment?.state ?? 'pending';
}
