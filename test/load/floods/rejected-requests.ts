import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeIngestToken } from '#submission/server-token.ts';
import type { HttpRequest } from '../../contract/http.ts';
import { requestFor, type Tenant } from '../../contract/tenant.ts';
import { acceptedId, type Post } from '../post.ts';
import { quantile } from '../timing/statistics.ts';

/** What a flood is made of, in equal parts. The tenant's minute is full. */
export function rejectedRequest(number: number, tenant: Tenant): HttpRequest {
  const unguessed = randomBytes(8).toString('hex');
  const requests = [
    () => requestFor('1a', tenant, { token: makeIngestToken('server', randomBytes(32)) }),
    () => requestFor('1b', tenant, { slug: `contact-us-${unguessed}` }),
    () => requestFor('1b', tenant, { secret: `whsec_${unguessed}` }),
    () => requestFor('1a', tenant, {}),
    () => requestFor('1b', tenant, {}),
    () => requestFor('1a', tenant, { headers: { 'X-SVC-Idempotency-Key': unguessed } }),
  ];
  return (requests[number % requests.length] as () => HttpRequest)();
}

/** The shards of a stream spread each counter over so many items at most. */
const LANES = 4;
/** The kinds that are counted for the workspace, each in a counter of its own: mismatch, and the limit by surface. */
export const COUNTERS_OF_TENANT = 3 * LANES;
/** And for nobody: unknown tokens, unknown slugs. */
export const COUNTERS_OF_NOBODY = 2 * LANES;

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
