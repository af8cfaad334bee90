import { marshall } from '@aws-sdk/util-dynamodb';
import {
  type RejectedSubmission,
  type RejectionOwner,
  rejectionRecord,
} from '#rejections/rejection-record.ts';
import type { Item } from '../double/wire-format.ts';
import { startRecorders } from '../service/recorders.ts';
import type { Submit } from '../service/sender.ts';
import type { World } from '../service/world.ts';
import { anyBody, CLEAN, presetCounters, type Scenario, USUAL_START } from './scenario.ts';

/** Rejections of every kind arrive while the recorders count them. */
export const recorder: Scenario = {
  name: 'recorder',
  // In the middle of an hour, or at its end, so that minute and hour change during the run.
  startAt: (random) =>
    random.chance(0.5) ? USUAL_START : Date.parse('2026-11-15T12:59:59.800Z') + random.below(200),
  stage(world) {
    const { random } = world;
    presetCounters(world, '1a', world.time.now(), { minute: 1_000 });
    if (random.chance(0.4)) leaveBacklog(world);
    const clients = ['ada', 'bea', 'cid', 'dan', 'eve'];
    let sending = clients.length;
    for (const client of clients) {
      world.program(async () => {
        const times = 1 + random.below(2);
        for (let time = 0; time < times; time += 1) await world.submit(client, random.pick(KINDS)(world));
        sending -= 1;
      });
    }
    startRecorders(world, () => sending === 0);
  },
};

const KINDS: readonly ((world: World) => Submit)[] = [
  // Over the limit.
  ({ random }) => ({ surface: '1a', body: anyBody(random) }),
  // The second one sends another body with the same key.
  ({ random }) => ({ surface: '1b', body: anyBody(random), key: 'order-1' }),
  ({ random }) => ({ surface: random.pick(['1a', '1b'] as const), body: '["$REF"', flawed: true }),
  ({ sender }) => ({
    surface: '1b',
    body: CLEAN,
    sender: { ...sender, secret: 'whsec_wrong' },
    flawed: true,
  }),
  // A provider with a wrong secret, and one whose delivery is refused for good.
  ({ sender }) => ({
    surface: '1c',
    body: CLEAN,
    sender: { ...sender, secret: 'whsec_wrong' },
    flawed: true,
  }),
  () => ({ surface: '1c', body: '["$REF"', flawed: true }),
  ({ sender }) => ({ surface: '1a', body: CLEAN, sender: { ...sender, token: 'unknown' }, flawed: true }),
];

const BACKLOG = 60;
const SHARED_SLUGS = 15;

/** Already on the streams: more events than fit in a batch, and more counters than fit in a transaction. */
function leaveBacklog({ double, random, time }: World): void {
  const shared = (slug: number) => Array.from({ length: 8 }, (_, at) => `shared-${slug}-${at}`);
  const own = [0, 1, 2].map((at) => `workspace-${at}`);
  for (const workspaceId of [...own, ...Array.from({ length: SHARED_SLUGS }, (_, at) => shared(at)).flat()]) {
    const Item = marshall({ workspaceId, status: 'active' }) as unknown as Item;
    double.execute('PutItem', { TableName: 'workspaces', Item });
  }
  for (let serial = 1; serial <= BACKLOG; serial += 1) {
    const requestId = `backlog-${serial}`;
    const slug = random.below(SHARED_SLUGS);
    const owner: RejectionOwner = random.chance(0.5)
      ? { authenticated: false, workspaceIds: shared(slug) }
      : { authenticated: random.chance(0.3), workspaceIds: [`workspace-${random.below(3)}`] };
    const rejected: RejectedSubmission = {
      atMilliseconds: time.now() - random.below(120_000),
      requestId,
      surface: '1b',
      bodyBytes: 0,
      reason: owner.authenticated ? 'body_not_object' : 'slug_ambiguous',
      detail: {},
    };
    double.execute('PutItem', {
      TableName: owner.authenticated ? 'rejections' : 'unauthenticatedRejections',
      Item: marshall(rejectionRecord(rejected, owner, 'suffix')) as unknown as Item,
    });
  }
}
