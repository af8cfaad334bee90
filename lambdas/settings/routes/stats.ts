import { SCORE_BANDS } from '../../core/stats-items.ts';
import { ok } from '../../middleware/settings/answers.ts';
import { oneOf, optional, readFields } from '../../middleware/settings/fields.ts';
import { RANGE, rangeOf } from '../../middleware/settings/query-fields.ts';
import { type OwnerRoute, route } from '../../middleware/settings/route.ts';
import type { SettingsDependencies } from '../settings-dependencies.ts';

const QUERY = { ...RANGE, by: optional(oneOf(['hour', 'day'])) };

export function statsRoutes({ stats, now }: Pick<SettingsDependencies, 'stats' | 'now'>): OwnerRoute[] {
  return [
    route('GET /settings/stats', async ({ workspaceId, query, signal }) => {
      const { by: bucket = 'hour', ...range } = readFields(query, QUERY);
      const summary = await stats.summary({ workspaceId, bucket, ...rangeOf(range, now()) }, signal);
      return ok({ by: bucket, scoreBandsFrom: SCORE_BANDS, ...summary });
    }),
  ];
}
