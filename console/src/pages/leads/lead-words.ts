import type { EnrichmentState, FailureReason } from '#enrichment/enrichment-item.ts';

export const ENRICHMENT_NAMES: Readonly<Record<EnrichmentState, string>> = {
  pending: 'Pending',
  enriched: 'Enriched',
  failed: 'Nothing found',
  skipped: 'Not enriched',
};

export const ENRICHMENT_MEANINGS: Readonly<Record<EnrichmentState, string>> = {
  pending: 'Enrichment is in progress. This page updates automatically.',
  enriched: 'Based on the submission and public sources.',
  failed: 'No additional information was found.',
  skipped: 'Only clean leads are enriched. See the score for why this lead isn’t clean.',
};

const FAILURE_MEANINGS: Readonly<Record<FailureReason, string>> = {
  body_unreadable: 'The body isn’t valid JSON.',
  nothing_recognised: 'No email address, phone number, name or other known field was recognized.',
};

/** Leads keep what an earlier version wrote: a name that is not known stands for itself. */
export function failureMeaning(reason: string): string {
  return Object.hasOwn(FAILURE_MEANINGS, reason) ? FAILURE_MEANINGS[reason as FailureReason] : reason;
}

/** How a key of a lead is shown that has no label: one of which nothing can be seen would leave its place blank. */
export function keyName(key: string): string {
  if (key === '') return '(no name)';
  return /[^\s\p{C}\p{Z}]/u.test(key) ? key : `(blank name ${JSON.stringify(key)})`;
}
