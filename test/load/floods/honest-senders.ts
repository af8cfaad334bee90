import { setTimeout as sleep } from 'node:timers/promises';
import { requestFor, type Tenant } from '../../contract/tenant.ts';
import { acceptedId, type Post } from '../post.ts';
import { quantile } from '../timing/welch.ts';

export interface Experience {
  readonly sent: number;
  readonly accepted: number;
  readonly medianMilliseconds: number;
  readonly p99Milliseconds: number;
  readonly slowestMilliseconds: number;
}

const PAUSE_MILLISECONDS = 60;

/** Sends properly, on both surfaces in turn, one after the other and in no hurry, until told to stop. */
export async function sendHonestly(post: Post, tenant: Tenant, signal: AbortSignal): Promise<Experience> {
  const took: number[] = [];
  let accepted = 0;
  while (!signal.aborted) {
    const reply = await post(requestFor(took.length % 2 === 0 ? '1a' : '1b', tenant, {}));
    took.push(reply.tookMilliseconds);
    if (acceptedId(reply) !== undefined) accepted += 1;
    await sleep(PAUSE_MILLISECONDS, undefined, { signal }).catch(() => undefined);
  }
  const sample = Float64Array.from(took);
  return {
    sent: took.length,
    accepted,
    medianMilliseconds: quantile(sample, 0.5),
    p99Milliseconds: quantile(sample, 0.99),
    slowestMilliseconds: Math.max(...took),
  };
}
