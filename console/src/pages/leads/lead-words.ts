import type { EnrichmentState, FailureReason } from '#enrichment/enrichment-item.ts';

export const ENRICHMENT_NAMES: Readonly<Record<EnrichmentState, string>> = {
  pending: 'Pending',
  enriched: 'Enriched',
  failed: 'Nothing found',
  skipped: 'Not enriched',
};

export const ENRICHMENT_MEANINGS: Readonly<Record<EnrichmentState, string>> = {
  pending: 'What can be found out about this lead is being looked up. This page follows it.',
  enriched: 'Found out from what was sent, and from public sources.',
  failed: 'Nothing could be found out about this lead.',
  skipped: 'Only clean leads are enriched. The score tells what kept this one from being clean.',
};

const FAILURE_MEANINGS: Readonly<Record<FailureReason, string>> = {
  body_unreadable: 'The body could not be read as JSON.',
  nothing_recognised: 'No field was recognised as an email address, a phone number, a name or the like.',
};

/** Leads keep what an earlier version wrote: a name that is not known stands for itself. */
export function failureMeaning(reason: string): string {
  return Object.hasOwn(FAILURE_MEANINGS, reason) ? FAILURE_MEANINGS[reason as FailureReason] : reason;
}

/** How a key of a lead is shown that has no label: one of which nothing can be seen would leave its place blank. */
export function keyName(key: string): string {
  if (key === '') return '(empty name)';
  return /[^\s\p{C}\p{Z}]/u.test(key) ? key : `(blank name ${JSON.stringify(key)})`;
}
