import { setTimeout as sleep } from 'node:timers/promises';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { UNATTRIBUTED_PARTITION } from '#rejections/diagnostics-items.ts';
import { openContract, type Tenant } from '../../contract/tenant.ts';
import { crowd } from '../../lambdas/submission/workbench.ts';
import { fillMinutes } from '../chaos/senders.ts';
import { type Finding, judged, logProgress, measured } from '../findings.ts';
import type { LoadOptions } from '../options.ts';
import { makePost } from '../post.ts';
import { residentBytes, type StackProcess, startStack } from '../stack/start-stack.ts';
import {
  auditDiagnostics,
  auditGateWrites,
  auditHonest,
  auditMemory,
  countedIn,
  type Partition,
} from './audit-floods.ts';
import { floodOneEnvironment } from './in-one-environment.ts';
import {
  COUNTERS_OF_NOBODY,
  COUNTERS_OF_TENANT,
  rejectedRequest,
  sendHonestly,
} from './rejected-requests.ts';

/** More than there are environments, so that all of them work; each further one would only wait for them. */
const CONNECTIONS = 16;
const FILLED_MINUTES = 30;
const QUIET_MILLISECONDS = 10_000;
/** Longer than a submission's deadline: after it, its timers are gone. */
const REST_MILLISECONDS = 5_000;

type Contract = ReturnType<typeof openContract>;

/** Rejections in such numbers as only an attack or a broken client sends, and others who go on beside them. */
export async function runFloods({ requests }: LoadOptions): Promise<Finding[]> {
  const warmUp = Math.ceil(requests / 8);
  const stack = await startStack(['--ephemeral', '--port', '0']);
  const contract = openContract();
  const [flooded, honest] = [await contract.newTenant(), await contract.newTenant()];
  await fillMinutes(contract, { workspaceId: flooded.workspaceId, minutes: FILLED_MINUTES, left: 0 });
  const post = makePost(stack.ingestUrl, CONNECTIONS);
  // A connection of their own: others do not queue in the flood's client.
  const honestPost = makePost(stack.ingestUrl, 1);

  const flood = (count: number) =>
    crowd(count, CONNECTIONS, (index) => post(rejectedRequest(index, flooded)));
  logProgress(`${warmUp} rejected requests, for every environment to be warm`);
  await flood(warmUp);
  logProgress('others alone');
  const quiet = await sendHonestly(honestPost, honest, AbortSignal.timeout(QUIET_MILLISECONDS));
  const before = await weigh(stack);

  const over = new AbortController();
  const experience = sendHonestly(honestPost, honest, over.signal);
  logProgress(`${requests} rejected requests, and others`);
  const startedAt = performance.now();
  const replies = await flood(requests);
  const seconds = (performance.now() - startedAt) / 1000;
  over.abort();
  const duringFlood = await experience;
  const after = await weigh(stack);
  const failedGateWrites = await stack.ask({ kind: 'failed-gate-writes' });
  logProgress('Diagnostics, until it has caught up with the streams');
  const { partitions, recorded } = await readSettled(contract, flooded);

  const opaque = replies.filter(({ status, body }) => status === 200 && body === '{"status":"rejected"}');
  const findings = [
    judged(
      'all of the flood is rejected alike',
      opaque.length === requests,
      `${opaque.length.toLocaleString('en')} in ${seconds.toFixed(1)} s, ${(requests / seconds).toFixed(0)} a second`,
    ),
    auditGateWrites(failedGateWrites, (requests + warmUp) / 2),
    ...auditDiagnostics(partitions, { rejected: requests + warmUp, recorded }),
    auditMemory(before.weights, after.weights, requests),
    measured('resident memory of the whole stack', `${residence(before)} before, ${residence(after)} after`),
    ...auditHonest(quiet, duringFlood),
  ];
  contract.client.destroy();
  await stack.stop();
  return [...findings, ...(await floodOneEnvironment(requests))];
}

async function weigh(stack: StackProcess) {
  await sleep(REST_MILLISECONDS);
  return { weights: await stack.ask({ kind: 'weigh' }), residentBytes: await residentBytes(stack.pid) };
}

async function readPartitions({ diagnostics }: Contract, { workspaceId }: Tenant): Promise<Partition[]> {
  const read = async (name: string, counters: number) => ({ name, counters, items: await diagnostics(name) });
  return Promise.all([
    read(workspaceId, COUNTERS_OF_TENANT),
    read(UNATTRIBUTED_PARTITION, COUNTERS_OF_NOBODY),
  ]);
}

const CAUGHT_UP_MILLISECONDS = 60_000;

/** The counts follow the records. What is not counted by then is a finding. */
async function readSettled(contract: Contract, flooded: Tenant) {
  const { rejections, unauthenticatedRejections } = contract.tables;
  const sizes = await Promise.all(
    [rejections, unauthenticatedRejections].map((table) => itemsIn(contract, table)),
  );
  const recorded = sizes.reduce((sum, size) => sum + size, 0);
  const until = Date.now() + CAUGHT_UP_MILLISECONDS;
  for (;;) {
    const partitions = await readPartitions(contract, flooded);
    if (countedIn(partitions) >= recorded || Date.now() > until) return { partitions, recorded };
    await sleep(500);
  }
}

async function itemsIn({ client }: Contract, TableName: string): Promise<number> {
  let items = 0;
  for await (const { Count = 0 } of paginateScan({ client }, { TableName, Select: 'COUNT' })) items += Count;
  return items;
}

/** What the others sent is relayed, counted and enriched: more environments, each with its own memory. */
function residence({ residentBytes: bytes, weights }: Awaited<ReturnType<typeof weigh>>): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB with ${weights.length} environments`;
}
