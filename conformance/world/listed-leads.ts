import type { OwnersLeads } from './owner.ts';
import type { Sender } from './submission.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** The list comes from an index, which follows the table with a delay. */
const INDEX_SECONDS = 10;

/** The leads of a form that is known to have one. */
export async function listedLeads(world: World, sender: Sender): Promise<OwnersLeads> {
  const owner = world.ownerOf(sender);
  const listed = await until(
    async () => {
      const page = await owner.leads(sender.formId);
      return page.rows.length > 0 ? page : undefined;
    },
    { seconds: INDEX_SECONDS, signal: world.signal },
  );
  return listed ?? { columns: [], rows: [] };
}
