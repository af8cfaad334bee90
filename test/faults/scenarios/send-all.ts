import type { World } from '../service/world.ts';

/** Each beside all others. */
export function sendAll(world: World, sends: readonly (() => Promise<unknown>)[]): void {
  for (const send of sends) world.program(async () => void (await send()));
}
