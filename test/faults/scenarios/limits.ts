import { type AnySurface, LIMITS, type Surface } from '#model/limits.ts';
import { HOT_GATE } from '../machine/outcome.ts';
import type { World } from '../service/world.ts';
import { anyBody, presetCounters, type Scenario, sendAll, USUAL_START } from './scenario.ts';

type Window = 'minute' | 'day';

const LIMIT: Readonly<Record<Window, number>> = {
  minute: LIMITS.submissionsPerMinute,
  day: LIMITS.submissionsPerDay,
};

/** Zero to two submissions are left, and more compete: duplicates of one key, another key, and no key. */
function competeForLimit(world: World, window: Window, surfaces: readonly AnySurface[]): void {
  const { random } = world;
  const left = random.below(3);
  for (const surface of surfaces) {
    presetCounters(world, surface, world.time.now(), { [window]: LIMIT[window] - left });
  }
  const send = (client: string, key?: string) => () =>
    world.insist(client, { surface: random.pick(surfaces), body: anyBody(random), key }, 2);
  const all = [send('ada', 'order-1'), send('bea', 'order-1'), send('cid', 'order-1')];
  if (random.chance(0.6)) all.push(send('dan', 'order-2'));
  if (random.chance(0.6)) all.push(send('eve'));
  sendAll(world, all);
}

const oneOrBoth = ({ random }: World): AnySurface[] =>
  random.chance(0.75) ? [random.pick(['1a', '1b', '1c'])] : ['1a', '1b'];

export const minuteLimit: Scenario = {
  name: 'minute-limit',
  stage: (world) => competeForLimit(world, 'minute', oneOrBoth(world)),
};

export const dayLimit: Scenario = {
  name: 'day-limit',
  stage: (world) => competeForLimit(world, 'day', oneOrBoth(world)),
};

/** The minute or the day ends while requests are under way; rejected senders retry in the new window. */
export const rollover: Scenario = {
  name: 'rollover',
  startAt: (random) =>
    Date.parse(random.pick(['2026-11-15T12:00:59.900Z', '2026-11-15T23:59:59.900Z'])) + random.below(100),
  stage(world) {
    const { random } = world;
    const surface = random.pick(['1a', '1b', '1c'] as const);
    const window = random.pick(['minute', 'day'] as const);
    presetCounters(world, surface, world.time.now(), { [window]: LIMIT[window] - random.below(2) });
    const send = (client: string, key?: string) => async () => {
      if (random.chance(0.5)) await world.time.sleep(random.below(250));
      await world.insist(client, { surface, body: anyBody(random), key }, 2);
      if (random.chance(0.3)) await world.insist(client, { surface, body: anyBody(random), key }, 2);
    };
    sendAll(world, [send('ada', 'order-1'), send('bea', 'order-1'), send('cid', 'order-1'), send('dan')]);
  },
};

/** Below the limit nobody may be rejected, in a new window or in one with earlier submissions. */
export const belowTheLimit: Scenario = {
  name: 'below-the-limit',
  startAt: (random) => USUAL_START + random.below(120_000),
  stage(world) {
    const { random } = world;
    const surface = random.pick(['1a', '1b', '1c'] as const);
    const counted = LIMITS.submissionsPerMinute - 8;
    if (random.chance(0.6)) presetCounters(world, surface, world.time.now(), { minute: counted });
    // An old window, which must be removed.
    presetCounters(world, surface, world.time.now() - 180_000, { minute: 7 });
    sendAll(
      world,
      ['ada', 'bea', 'cid', 'dan'].map((client, at) => async () => {
        const key = random.chance(0.5) ? `order-${at}` : undefined;
        await world.submit(client, { surface, body: anyBody(random), key });
      }),
    );
  },
};

/** One surface is at its limit, the other isn't: a key rejected on the first is accepted on the second. */
export const oneSurfaceFull: Scenario = {
  name: 'one-surface-full',
  stage(world) {
    const { random } = world;
    const [full, free] = random.pick([['1a', '1b'] as const, ['1b', '1a'] as const]);
    const window = random.pick(['minute', 'day'] as const);
    presetCounters(world, full, world.time.now(), { [window]: LIMIT[window] });
    const send = (client: string, surface: Surface) => () =>
      world.insist(client, { surface, body: anyBody(random), key: 'order-1' }, 2);
    sendAll(world, [send('ada', full), send('bea', full), send('cid', free), send('dan', free)]);
  },
};

/** Below the limit while the workspace's item is throttled: leads wait, and none is rejected before the deadline. */
export const hotGate: Scenario = { ...belowTheLimit, name: 'hot-gate', faultProfile: HOT_GATE };
