import { rejectionsIn } from '../../rejections-in.ts';
import { plainValues } from '../double/plain-values.ts';
import type { Observed } from './observed.ts';

/** When nothing failed at all, the owner finds every rejection counted, by its reason. */
export function rejectionsRecorded({ world }: Observed): string[] {
  if (world.weather.mostFaults > 0) return [];
  const counted: Record<string, number> = {};
  for (const item of world.double.table('diagnostics').all()) {
    const values = plainValues(item);
    const reason = String(values.sk).split('#').at(-1) as string;
    const rejections = rejectionsIn(values);
    if (rejections > 0) counted[reason] = (counted[reason] ?? 0) + rejections;
  }
  for (const { reason, strikes } of world.submissions) {
    // What had to wait too long for its turn was dropped, as it should be.
    if (strikes.length > 0) return [];
    if (reason !== undefined) counted[reason] = (counted[reason] ?? 0) - 1;
  }
  const wrong = Object.entries(counted).filter(([, difference]) => difference !== 0);
  return wrong.map(([reason, difference]) => `${reason} is recorded ${difference} times too often`);
}
