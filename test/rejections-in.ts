import { countersOf } from '../lambdas/core/diagnostics-items.ts';

/** How many rejections an item of Diagnostics counts. */
export function rejectionsIn(item: Readonly<Record<string, unknown>>): number {
  return countersOf(item).reduce((sum, { count }) => sum + count, 0);
}
