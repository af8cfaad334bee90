/** Why a submission was not accepted. Senders never see these; owners do, in Diagnostics. */
export const REASONS = [
  'token_missing',
  'token_invalid',
  'token_wrong_type',
  'token_revoked',
  'workspace_suspended',
  'form_not_found',
  'form_inactive',
  'slug_ambiguous',
  'provider_not_chosen',
  'secret_not_configured',
  'timestamp_missing',
  'timestamp_invalid',
  'timestamp_out_of_window',
  'signature_missing',
  'signature_malformed',
  'signature_mismatch',
  'browser_inactive',
  'origin_missing',
  'origin_not_allowed',
  'token_expired',
  'rate_limited_minute',
  'rate_limited_day',
  'idempotency_key_malformed',
  'body_too_large',
  'content_type_unsupported',
  'content_encoding_unsupported',
  'body_invalid_json',
  'body_not_object',
  'delivery_too_old',
  'internal_error',
] as const;

export type Reason = (typeof REASONS)[number];

/** Not a rejection: the sender got the original response for a key, but sent another body. A lead may be lost that way. */
export const KEY_REUSED = 'idempotency_key_reused';

export type RecordedReason = Reason | typeof KEY_REUSED;

export function isRateLimit(reason: Reason): boolean {
  return reason === 'rate_limited_minute' || reason === 'rate_limited_day';
}

/**
 * What no repetition makes acceptable. An authentic delivery on Surface 1c that is rejected for one of these is not sent
 * again, so its lead is lost unless the owner hears of it.
 */
export const NEVER_ACCEPTABLE: readonly RecordedReason[] = [
  'body_too_large',
  'content_type_unsupported',
  'body_invalid_json',
  'body_not_object',
  'delivery_too_old',
];

/** What was wrong, for the owner: sizes, skews and names, never values that a sender sent as data. */
export type RejectionDetail = Readonly<Record<string, string | number>>;

/** The workspaces that a rejection belongs to: none for an unknown token or slug, several for an ambiguous slug. */
export interface Attribution {
  readonly workspaceIds: readonly string[];
  readonly formId?: string;
}

export const UNATTRIBUTED: Attribution = { workspaceIds: [] };

/** Thrown for every submission that is not accepted. Any other error is a defect. */
export class Rejection extends Error {
  readonly reason: Reason;
  readonly detail: RejectionDetail;

  constructor(reason: Reason, detail: RejectionDetail = {}) {
    super(reason);
    this.name = 'Rejection';
    this.reason = reason;
    this.detail = detail;
  }
}
