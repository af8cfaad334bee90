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
  skipped: 'Only clean leads are enriched. See the score and the review for why this lead isn’t clean.',
};

const FAILURE_MEANINGS: Readonly<Record<FailureReason, string>> = {
  body_unreadable: 'The body isn’t valid JSON.',
  nothing_recognised: 'No email address, phone number, name or other known field was recognized.',
};

/** Older leads may have unknown names, which are shown as they are. */
export function failureMeaning(reason: string): string {
  return Object.hasOwn(FAILURE_MEANINGS, reason) ? FAILURE_MEANINGS[reason as FailureReason] : reason;
}

/** The display name of an unlabeled key. Invisible keys get a placeholder. */
export function keyName(key: string): string {
  if (key === '') return '(no name)';
  return /[^\s\p{C}\p{Z}]/u.test(key) ? key : `(blank name ${JSON.stringify(key)})`;
}
