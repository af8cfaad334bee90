import { countersOf } from '../lambdas/rejections/diagnostics-items.ts';

/** How many rejections an item of Diagnostics counts. */
export function rejectionsIn(item: Readonly<Record<string, unknown>>): number {
  return countersOf(item).reduce((sum, { count }) => sum + count, 0);
}
