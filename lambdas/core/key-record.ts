import { LIMITS } from './limits.ts';
import type { Reason } from './reasons.ts';
import type { Surface } from './surfaces.ts';

/** The response that the submission which made the lead was given. */
export interface OriginalResponse {
  readonly statusCode: number;
  readonly body: string;
  /** Of the request: another body under the same key is a mistake of the sender, and may cost a lead. */
  readonly bodySha256?: string | undefined;
}

/** Left by a submission that the gate denied. */
export interface DenialMarker {
  readonly denialId: string;
  readonly reason: Reason;
}

/** What stands under an idempotency key: an acceptance, or markers, one for each surface, since each has its limits. */
export type KeyRecord =
  | (OriginalResponse & { readonly kind: 'accepted'; readonly expiresAt: number })
  | ({ readonly kind: 'denied'; readonly expiresAt: number } & {
      readonly [Each in Surface as `denied${Each}`]?: DenialMarker;
    });

export const markerName = (surface: Surface) => `denied${surface}` as const;

/** Also of an expired record: a denial on the other surface may bring it back, and it must not pass for a new one. */
export function denialOn(record: KeyRecord | undefined, surface: Surface): DenialMarker | undefined {
  return record?.kind === 'denied' ? record[markerName(surface)] : undefined;
}

/**
 * A marker only has to outlive the submissions that are under way while it is written; a retry in the next window
 * overrules it.
 */
const DENIAL_SECONDS = 10 * 60;

export function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** DynamoDB deletes expired items late, up to days: only the clock says whether a record still holds. */
export function isLive(record: { readonly expiresAt: number } | undefined, nowMilliseconds: number): boolean {
  return record !== undefined && wholeSeconds(nowMilliseconds) < record.expiresAt;
}

/** Rounded up: the window is never shorter than 24 hours. */
export function acceptanceExpiry(nowMilliseconds: number): number {
  return Math.ceil(nowMilliseconds / 1000) + LIMITS.idempotencySeconds;
}

export function denialExpiry(nowMilliseconds: number): number {
  return wholeSeconds(nowMilliseconds) + DENIAL_SECONDS;
}
