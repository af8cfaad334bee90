import { createHash } from 'node:crypto';

/** Which leads are asked for. Times in milliseconds; `from` is inside, `to` is not. Scores are inside at both ends. */
export interface LeadFilter {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly clean?: boolean | undefined;
  readonly scoreAtLeast?: number | undefined;
  readonly scoreAtMost?: number | undefined;
}

/** Whether some leads of the time range are left out, so that more have to be looked at than are found. */
export function leavesOut({ clean, scoreAtLeast, scoreAtMost }: LeadFilter): boolean {
  return clean !== undefined || scoreAtLeast !== undefined || scoreAtMost !== undefined;
}

/** By this a cursor knows the filter it was made under: going on under another would silently skip leads. */
export function filterMark({ from, to, clean, scoreAtLeast, scoreAtMost }: LeadFilter): string {
  const parts = [from, to, clean, scoreAtLeast, scoreAtMost].map((part) => part ?? null);
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
}
