import type { ShelfBench } from '../engines/shelf-bench.ts';
import { BODIES, SIZES } from '../fixtures/index.ts';
import { makeCapacity } from '../units/capacity.ts';
import type { UnitCount } from './write-units.ts';

export interface ShelfCalls {
  readonly name: string;
  /** DynamoDB calls one after the other. */
  readonly inSequence: number;
  /** All of them. */
  readonly inAll: number;
  /** Requests to SQS, which come after the last of them. */
  readonly messages: number;
}

/** The same counts for the composition from the shelf. It keeps no configuration, so warm and cold are the same. */
export async function countShelfCalls(shelf: ShelfBench): Promise<ShelfCalls[]> {
  const token = await shelf.newToken();
  const body = BODIES['400 B'];
  await shelf.send(token, body, 'first');

  async function count(name: string, status: number, send: () => Promise<{ statusCode: number }>) {
    shelf.calls.reset();
    shelf.messages.count = 0;
    const { statusCode } = await send();
    if (statusCode !== status) throw new Error(`${name}: ${statusCode}, not ${status}`);
    return {
      name,
      inSequence: shelf.calls.inSequence(),
      inAll: shelf.calls.commands().length,
      messages: shelf.messages.count,
    };
  }

  return [
    await count('accepted', 202, () => shelf.send(token, body)),
    await count('accepted, with key', 202, () => shelf.send(token, body, 'second')),
    await count('replay', 202, () => shelf.send(token, body, 'first')),
    await count('unknown token', 200, () => shelf.send('nobody', body)),
  ];
}

export async function countShelfUnits(
  shelf: ShelfBench,
  observer: Parameters<typeof makeCapacity>[0],
): Promise<UnitCount[]> {
  const capacityOf = makeCapacity(observer);
  const counts: UnitCount[] = [];
  for (const size of SIZES) {
    for (const keyed of [false, true]) {
      const token = await shelf.newToken();
      await shelf.send(token, BODIES[size]);
      shelf.wire.reset();
      await shelf.send(token, BODIES[size], keyed ? `of ${size}` : undefined);
      counts.push({ size, keyed, ...(await capacityOf(shelf.wire.list())) });
    }
  }
  return counts;
}
