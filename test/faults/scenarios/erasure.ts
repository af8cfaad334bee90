import { marshall } from '@aws-sdk/util-dynamodb';
import { makeLeadPages } from '#leads/lead-pages-store.ts';
import { makeLeadId, toLeadItem } from '#model/lead-item.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import type { Item } from '../double/wire-format.ts';
import { startBackground } from '../service/background.ts';
import { TABLES } from '../service/functions.ts';
import type { World } from '../service/world.ts';
import { CLEAN, type Scenario } from './scenario.ts';

const LEADS = 3;
const MAX_TRIES = 8;

/** An owner erases leads while they are enriched. */
export const eraseWhileEnriching: Scenario = {
  name: 'erase-while-enriching',
  stage(world) {
    const { random, time } = world;
    let left = LEADS;
    for (let serial = 1; serial <= LEADS; serial += 1) {
      const leadId = putLead(world);
      world.program(async () => {
        // The stream is polled every second, and so is the queue.
        await time.sleep(random.below(4) * 1_000 + random.below(4));
        await erase(world, leadId);
        left -= 1;
      });
    }
    startBackground(world, () => left === 0);
  },
};

/** Accepted a moment ago. */
function putLead({ double, random, time, sender: { workspaceId, formId } }: World): string {
  const leadId = makeLeadId(time.now(), random.bytes(10));
  const receivedAt = new Date(time.now()).toISOString();
  const score = scoreLead(JSON.parse(CLEAN), undefined);
  const lead = { leadId, workspaceId, formId, surface: '1a' as const, receivedAt, body: CLEAN, ...score };
  double.execute('PutItem', { TableName: 'leads', Item: marshall(toLeadItem(lead)) as unknown as Item });
  return leadId;
}

/** Again and again, until it is acknowledged. */
async function erase(world: World, leadId: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const activity = world.newActivity('eraser');
    await world.turn(activity.name, 'erases a lead');
    const { environment, surroundings } = world.newEnvironment(activity.name);
    const { clients, now } = surroundings;
    const pages = makeLeadPages({ client: clients.client, tables: TABLES, now });
    const result = await environment
      .invoke(activity, () => pages.erase(world.sender.workspaceId, leadId, new AbortController().signal))
      .catch((error: Error) => error);
    if (result !== 'died' && !(result instanceof Error)) return;
  }
}
