import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unfill } from './corpus.ts';
import type { Failure } from './fuzz.ts';
import type { World } from './world.ts';

const FOLDER = fileURLToPath(new URL('../../.local/fuzz/', import.meta.url));

/** How many failures are shown and written down; of the rest, how many there were. */
const MOST_SHOWN = 20;

/** Writes failing requests down, so that one command sends them again to any stack, and says so at once. */
export function makeFailures(world: World, seed: number) {
  let count = 0;
  let showing = Promise.resolve();

  async function show({ number, plan, faults }: Failure): Promise<void> {
    const file = await keep(`${seed}-${number}.http`, plan.delivery.bytes, world);
    console.log(`✗ request ${number}: ${faults.join('; ')}`);
    console.log(`  again: npm run test:fuzz -- --replay ${file}`);
    console.log(`  as it was sent: npm run test:fuzz -- --seed ${seed} --only ${number}`);
  }

  return {
    count: () => count,
    add(failure: Failure): void {
      count += 1;
      if (count <= MOST_SHOWN) showing = showing.then(() => show(failure));
    },
    async shown(): Promise<void> {
      await showing;
      if (count > MOST_SHOWN) console.log(`✗ and ${count - MOST_SHOWN} more`);
    },
  };
}

async function keep(name: string, bytes: Buffer, world: World): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, name);
  writeFileSync(file, await unfill(bytes, world, Math.floor(Date.now() / 1000)));
  return file;
}
