import { randomBytes } from 'node:crypto';
import { makeIngestToken } from '#submission/server-token.ts';
import type { HttpRequest } from '../../contract/http.ts';
import { requestFor, type Tenant } from '../../contract/tenant.ts';

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
