import { startBackground } from '../service/background.ts';
import { anyBody } from './bodies.ts';
import type { Scenario } from './scenario.ts';

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
