import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeIngestToken } from '#model/ingest-token.ts';
import { UNATTRIBUTED_PARTITION } from '#rejections/diagnostics-items.ts';
import { type HttpRequest, openContract, requestFor, type Tenant } from '../../contract/tenant.ts';
import { crowd } from '../../lambdas/submission/submission-fixture.ts';
import { until } from '../../until.ts';
import { fillMinutes } from '../chaos/senders.ts';
import { type Finding, judged, logProgress, measured } from '../findings.ts';
import { acceptedId, isRejected, makePost, type Post } from '../post.ts';
import type { LoadOptions } from '../run.ts';
import { type StackProcess, startStack } from '../stack/start-stack.ts';
import { itemsOf } from '../stored.ts';
import { quantile } from '../timing/statistics.ts';
import {
  auditDiagnostics,
  auditGateWrites,
  auditHonest,
  auditMemory,
  countedIn,
  type Partition,
} from './audit-floods.ts';

/** The requests of a flood, in equal parts. The tenant's minute is full. */
function rejectedRequest(number: number, tenant: Tenant): HttpRequest {
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

/** The shards of a stream spread each counter over at most this many items. */
const LANES = 4;
/** The kinds counted for the workspace: mismatch, and the limit per surface. */
const TENANT_COUNTERS = 3 * LANES;
/** The kinds without a workspace: unknown tokens, unknown slugs. */
const UNATTRIBUTED_COUNTERS = 2 * LANES;

export interface Experience {
  readonly sent: number;
  readonly accepted: number;
  readonly medianMilliseconds: number;
  readonly p99Milliseconds: number;
  readonly slowestMilliseconds: number;
}

const PAUSE_MILLISECONDS = 60;

/** Sends valid submissions slowly, alternating the surfaces, until the signal aborts. */
async function sendHonestly(post: Post, tenant: Tenant, signal: AbortSignal): Promise<Experience> {
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

/** More than the environments, so that all of them are busy; more would only wait. */
const CONNECTIONS = 16;
const FILLED_MINUTES = 30;
const QUIET_MILLISECONDS = 10_000;
/** Longer than a submission's deadline, after which its timers are gone. */
const REST_MILLISECONDS = 5_000;

type Contract = ReturnType<typeof openContract>;

/** As many rejections as an attack or a broken client causes, while other senders go on. */
export async function runFloods({ requests }: LoadOptions): Promise<Finding[]> {
  const warmUp = Math.ceil(requests / 8);
  const stack = await startStack();
  const contract = openContract();
  const [flooded, honest] = [await contract.newTenant(), await contract.newTenant()];
  await fillMinutes(contract, { workspaceId: flooded.workspaceId, minutes: FILLED_MINUTES, left: 0 });
  const post = makePost(stack.ingestUrl, CONNECTIONS);
  // A separate connection, so that others don't queue in the flood's client.
  const honestPost = makePost(stack.ingestUrl, 1);

  const flood = (count: number) =>
    crowd(count, CONNECTIONS, (index) => post(rejectedRequest(index, flooded)));
  logProgress(`${warmUp} rejected requests to warm up every environment`);
  await flood(warmUp);
  logProgress('other senders alone');
  const quiet = await sendHonestly(honestPost, honest, AbortSignal.timeout(QUIET_MILLISECONDS));
  const before = await weigh(stack);

  const over = new AbortController();
  const experience = sendHonestly(honestPost, honest, over.signal);
  logProgress(`${requests} rejected requests, and other senders`);
  const startedAt = performance.now();
  const replies = await flood(requests);
  const seconds = (performance.now() - startedAt) / 1000;
  over.abort();
  const duringFlood = await experience;
  const after = await weigh(stack);
  const failedGateWrites = await stack.ask({ kind: 'failed-gate-writes' });
  logProgress('waiting for Diagnostics to catch up with the streams');
  const { partitions, recorded } = await readSettled(contract, flooded);

  const opaque = replies.filter(isRejected);
  const findings = [
    judged(
      'the whole flood gets the same rejection',
      opaque.length === requests,
      `${opaque.length.toLocaleString('en')} in ${seconds.toFixed(1)} s, ${(requests / seconds).toFixed(0)} per second`,
    ),
    auditGateWrites(failedGateWrites, (requests + warmUp) / 2),
    ...auditDiagnostics(partitions, { rejected: requests + warmUp, recorded }),
    auditMemory(before.weights, after.weights, requests),
    measured('resident memory of the whole stack', `${residence(before)} before, ${residence(after)} after`),
    ...auditHonest(quiet, duringFlood),
  ];
  contract.client.destroy();
  await stack.stop();
  return findings;
}

async function weigh(stack: StackProcess) {
  await sleep(REST_MILLISECONDS);
  return { weights: await stack.ask({ kind: 'weigh' }), megabytes: await stack.residentMegabytes() };
}

async function readPartitions({ diagnostics }: Contract, { workspaceId }: Tenant): Promise<Partition[]> {
  const read = async (name: string, counters: number) => ({ name, counters, items: await diagnostics(name) });
  return Promise.all([
    read(workspaceId, TENANT_COUNTERS),
    read(UNATTRIBUTED_PARTITION, UNATTRIBUTED_COUNTERS),
  ]);
}

/** Counts follow the records. Records that are not counted by then are a finding. */
async function readSettled(contract: Contract, flooded: Tenant) {
  const { rejections, unauthenticatedRejections } = contract.tables;
  const records = await Promise.all(
    [rejections, unauthenticatedRejections].map((table) => itemsOf(contract.client, table)),
  );
  const recorded = records.flat().length;
  const partitions = await until(
    () => readPartitions(contract, flooded),
    (read) => countedIn(read) >= recorded,
  );
  return { partitions, recorded };
}

/** The number of environments matters: relay, stats and enrichment start more of them. */
function residence({ megabytes, weights }: Awaited<ReturnType<typeof weigh>>): string {
  return `${megabytes.toFixed(0)} MB with ${weights.length} environments`;
}
