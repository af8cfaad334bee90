import { oneOf, optional, RANGE, rangeOf, readFields } from '../owner-api/fields.ts';
import { type OwnerRoute, route } from '../owner-api/owner-pipeline.ts';
import { ok } from '../owner-api/problem.ts';
import { SCORE_BANDS } from './stats-items.ts';
import type { StatsReader } from './stats-store.ts';

const QUERY = { ...RANGE, by: optional(oneOf(['hour', 'day'])) };

export interface StatsRouteDependencies {
  readonly stats: StatsReader;
  readonly now: () => number;
}

export function statsRoutes({ stats, now }: StatsRouteDependencies): OwnerRoute[] {
  return [
    route('getStats', async ({ workspaceId, query, signal }) => {
      const { by: bucket = 'hour', ...range } = readFields(query, QUERY);
      const summary = await stats.summary({ workspaceId, bucket, ...rangeOf(range, now()) }, signal);
      return ok({ by: bucket, scoreBandsFrom: SCORE_BANDS, ...summary });
    }),
  ];
}
