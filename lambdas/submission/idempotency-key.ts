import { createHash } from 'node:crypto';
import { type Headers, singleHeader } from '../model/headers.ts';
import { type AnySurface, LIMITS, wholeSeconds } from '../model/limits.ts';
import { Rejection } from '../model/reasons.ts';
import type { DenialMarker, OriginalResponse } from './submission.ts';

/** Undefined when no key was sent. A key of blanks is empty: HTTP strips them anyway. */
export function idempotencyKey(headers: Headers): string | undefined {
  const header = singleHeader(headers, 'x-svc-idempotency-key');
  if (header === undefined) return undefined;
  if (header === 'repeated')
    throw new Rejection('idempotency_key_malformed', { problem: 'sent more than once' });
  const key = header.value.trim();
  const length = [...key].length;
  if (length < 1 || length > LIMITS.idempotencyKeyCharacters) {
    throw new Rejection('idempotency_key_malformed', { length });
  }
  return key;
}

/** Hashed, since a key may be somebody's address. A workspace id holds no line feed, so the pair is unambiguous. */
export function hashIdempotencyKey(workspaceId: string, key: string): string {
  return createHash('sha256').update(`${workspaceId}\n${key}`).digest('hex');
}

/**
 * The record of an idempotency key: an acceptance, or denial markers, one per surface, since each has its own limits.
 */
export type KeyRecord =
  | (OriginalResponse & { readonly kind: 'accepted'; readonly expiresAt: number })
  | ({ readonly kind: 'denied'; readonly expiresAt: number } & {
      readonly [Each in AnySurface as `denied${Each}`]?: DenialMarker;
    });

export const markerName = (surface: AnySurface) => `denied${surface}` as const;

/** Also for an expired record: a denial on the other surface may extend it, and must not make this marker look new. */
export function denialOn(record: KeyRecord | undefined, surface: AnySurface): DenialMarker | undefined {
  return record?.kind === 'denied' ? record[markerName(surface)] : undefined;
}

/** A marker only has to outlive the submissions in progress; a retry in the next window overrules it. */
const DENIAL_SECONDS = 10 * 60;

/** DynamoDB deletes expired items up to days late: only the clock says whether a record is still valid. */
export function isLive(record: { readonly expiresAt: number } | undefined, nowMilliseconds: number): boolean {
  return record !== undefined && wholeSeconds(nowMilliseconds) < record.expiresAt;
}

/** Rounded up: the window is never shorter than 24 hours, or 7 days for a provider's delivery. */
export function acceptanceExpiry(nowMilliseconds: number, isDelivery?: boolean): number {
  const seconds = isDelivery ? LIMITS.deliverySeconds : LIMITS.idempotencySeconds;
  return Math.ceil(nowMilliseconds / 1000) + seconds;
}

export function denialExpiry(nowMilliseconds: number): number {
  return wholeSeconds(nowMilliseconds) + DENIAL_SECONDS;
}
