import { ownerPipeline } from '../middleware/settings/owner-pipeline.ts';
import { deliveryRoutes } from './routes/delivery.ts';
import { formRoutes } from './routes/forms.ts';
import { leadRoutes } from './routes/leads.ts';
import { statsRoutes } from './routes/stats.ts';
import { testRoutes } from './routes/test.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { workspaceRoutes } from './routes/workspace.ts';
import type { SettingsDependencies } from './settings-dependencies.ts';

/** The owner's API. */
export function makeSettings(dependencies: SettingsDependencies) {
  return ownerPipeline(dependencies, [
    ...workspaceRoutes(dependencies),
    ...formRoutes(dependencies),
    ...deliveryRoutes(dependencies),
    ...testRoutes(dependencies),
    ...tokenRoutes(dependencies),
    ...leadRoutes(dependencies),
    ...statsRoutes(dependencies),
  ]);
}
