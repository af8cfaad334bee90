import type { Stats } from '../../api/types.ts';

const HOUR_MS = 60 * 60 * 1000;

/** A week ago, rounded to the hour so all callers share one cached query. */
export function weekAgo(now: number): string {
  return new Date(Math.floor(now / HOUR_MS) * HOUR_MS - 7 * 24 * HOUR_MS).toISOString();
}

export function countLeadsByForm({ counts }: Pick<Stats, 'counts'>): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { formId, accepted } of counts) sums.set(formId, (sums.get(formId) ?? 0) + accepted);
  return sums;
}
