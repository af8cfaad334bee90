import type { Surface } from '#submission/limits.ts';
import { startBackground } from '../service/background.ts';
import { anyBody, type Scenario } from './scenario.ts';

/** Two to four senders with one key at once, and one more when they are done; a sender without a key beside them. */
export const duplicates: Scenario = {
  name: 'duplicates',
  stage(world) {
    const { random } = world;
    const surfaces: Surface[] = random.chance(0.7) ? [random.pick(['1a', '1b'])] : ['1a', '1b'];
    const send = (client: string, key?: string) =>
      world.insist(client, { surface: random.pick(surfaces), body: anyBody(random), key });
    world.program(async () => {
      const names = ['ada', 'bea', 'cid', 'dan'].slice(0, 2 + random.below(3));
      await Promise.all(names.map((name) => send(name, 'order-1')));
      await send('eve', 'order-1');
    });
    if (random.chance(0.5)) world.program(async () => void (await send('fay')));
  },
};

/** The same sender again and again, with hardly a pause; every answer may get lost. */
export const retries: Scenario = {
  name: 'retries',
  stage(world) {
    const { random } = world;
    const surface = random.pick(['1a', '1b'] as const);
    const sender = (client: string, key: string) => async () => {
      for (let round = 0; round < 3; round += 1) {
        await world.insist(client, { surface, body: anyBody(random), key });
        if (random.chance(0.3)) await world.time.sleep(random.below(3_000));
      }
    };
    world.program(sender('ada', 'order-1'));
    world.program(sender('bea', random.pick(['order-1', 'order-2'])));
  },
};

/** Leads come in while relay, enrichment and stats follow behind them. */
export const afterThe202: Scenario = {
  name: 'after-the-202',
  stage(world) {
    const { random } = world;
    const clients = ['ada', 'bea', 'cid'];
    let sending = clients.length;
    for (const client of clients) {
      const key = random.chance(0.4) ? 'order-1' : undefined;
      world.program(async () => {
        await world.submit(client, { surface: '1a', body: anyBody(random), key });
        sending -= 1;
      });
    }
    startBackground(world, () => sending === 0);
  },
};
