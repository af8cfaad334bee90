import { ok } from '../../middleware/settings/answers.ts';
import { readFields } from '../../middleware/settings/fields.ts';
import { notFound } from '../../middleware/settings/problem.ts';
import { type OwnerRoute, route } from '../../middleware/settings/route.ts';
import type { SettingsDependencies } from '../settings-dependencies.ts';

export function workspaceRoutes({ usage }: Pick<SettingsDependencies, 'usage'>): OwnerRoute[] {
  return [
    route('GET /settings/workspace', async ({ workspaceId, query, signal }) => {
      readFields(query, {});
      const workspace = await usage.read(workspaceId, signal);
      // An operator may have removed it while its owner was still signed in.
      if (!workspace) throw notFound();
      return ok(workspace);
    }),
  ];
}
