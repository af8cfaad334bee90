import { randomBytes } from 'node:crypto';
import { BODIES, SIZES, type Size } from '../fixtures/index.ts';
import type { Capacity } from '../units/capacity.ts';
import type { Weigh } from '../units/scale.ts';

/** What an accepted lead costs DynamoDB, by the size of its body. */
export interface UnitCount extends Capacity {
  readonly size: Size;
  readonly keyed: boolean;
}

/** The calls that a warm function really sends, weighed by AWS's rules. */
export async function countUnits(weigh: Weigh): Promise<UnitCount[]> {
  const counts: UnitCount[] = [];
  for (const size of SIZES) {
    const key = { headers: { 'X-SVC-Idempotency-Key': `of ${size}` } };
    counts.push({ size, keyed: false, ...(await weigh(BODIES[size])) });
    counts.push({ size, keyed: true, ...(await weigh(BODIES[size], key)) });
  }
  return counts;
}

/** 128 KB of which nothing can be left out: the most that a lead can cost. */
export async function weighNoise(weigh: Weigh): Promise<Capacity> {
  const room = 131_072 - '{"attachment":""}'.length;
  return weigh(JSON.stringify({ attachment: randomBytes(room).toString('base64').slice(0, room) }));
}
