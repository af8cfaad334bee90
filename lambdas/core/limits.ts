/** The spec's numbers. No deployed bundle can change them. */
export const LIMITS = {
  submissionsPerMinute: 1_000,
  submissionsPerDay: 50_000,
  bodyBytes: 131_072,
  idempotencyKeyCharacters: 255,
  idempotencySeconds: 24 * 60 * 60,
  timestampToleranceSeconds: 300,
} as const;
