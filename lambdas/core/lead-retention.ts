import { wholeSeconds } from './key-record.ts';

/**
 * How many days an owner may have leads of a form kept. At least one: for 24 hours an idempotency key answers with the
 * id of its lead, which must not be gone before.
 */
export const RETENTION_DAYS = { least: 1, most: 3_650 } as const;

const DAY_SECONDS = 24 * 60 * 60;

/** In seconds, as DynamoDB's TTL reads it. Rounded up: no lead is kept for less than was promised. */
export function leadExpiry(receivedAtMilliseconds: number, retentionDays: number): number {
  return Math.ceil(receivedAtMilliseconds / 1000) + retentionDays * DAY_SECONDS;
}

/** DynamoDB deletes late, up to days: whoever reads takes an expired lead for one that is gone. */
export function hasExpired(
  { expiresAt }: { readonly expiresAt?: unknown },
  nowMilliseconds: number,
): boolean {
  return typeof expiresAt === 'number' && expiresAt <= wholeSeconds(nowMilliseconds);
}

/** The same moment for people and programs outside. */
export function keptUntil(expiresAt: number): string {
  return new Date(expiresAt * 1000).toISOString();
}
