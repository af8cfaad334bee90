import { toBytes, validDraft } from './draft.ts';
import { exchange } from './exchange.ts';
import { makeRandom } from './random.ts';
import { readAsServer } from './read-as-server.ts';
import type { World } from './world.ts';

const AT_ONCE = 16;
const PATIENCE_MILLISECONDS = 60_000;

/** Has the functions load their code: that takes its time on a busy machine, and is not what is tried. */
export async function warmUp(url: URL, world: World): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, at) => {
        const random = makeRandom(round, at);
        const draft = validDraft(random, world, Math.floor(Date.now() / 1000));
        // Authenticated, and no lead.
        draft.body = Buffer.from('[]');
        const bytes = toBytes(draft, random);
        await exchange(url, { bytes }, await readAsServer(bytes), PATIENCE_MILLISECONDS);
      }),
    );
  }
}
