import { LIMITS } from '../../lambdas/contract.ts';
import { splitThrottles } from '../../lib/throttles.ts';
import { AWS, STACK, type Timings, warmMilliseconds } from './capacity.ts';
import { submissionCost } from './simulate-submission.ts';

/** Leads per second of all workspaces together. */
export const RATES = [100, 1_000, 10_000] as const;

/** What raises a limit: a setting of the stack or a quota, and its value for what is wanted of the limit. */
export interface Raise {
  readonly kind: 'setting' | 'quota';
  readonly name: string;
  readonly value: (wanted: number) => number;
}

export interface Use {
  readonly limit: string;
  /** In the unit that the limit's name says. */
  readonly allowed: number;
  readonly needed: number;
  /** Before the 202, where senders notice, or after it, where processing only takes longer. */
  readonly side: 'before' | 'after';
  /** Undefined if nothing does: it has to be enough, or workspaces go to several accounts. */
  readonly raise?: Raise | undefined;
  /** Only of a new table: DynamoDB raises it with use. */
  readonly temporary?: true;
}

/** What one workspace may send per second, on both surfaces. All of it may be for one form, and one destination. */
const ONE_WORKSPACE = (2 * LIMITS.submissionsPerMinute) / 60;

/** Each lead is announced twice: when it is accepted and when it is enriched. */
const EVENTS_PER_LEAD = 2;

/** Of messages, those to destinations that respond slowly. */
const SLOW_SHARE = 0.01;

/** How much of each limit so many leads per second use. */
export function usesOf(rate: number, timings: Timings): Use[] {
  return [...usesBefore(rate, timings), ...usesAfter(rate, timings)];
}

/** In the order in which a lead meets them. */
function usesBefore(rate: number, timings: Timings): Use[] {
  const cost = submissionCost();
  const leads = cost.leadStored + cost.leadEnriched;
  const { concurrency, requestsPerSecondPerConcurrency: perConcurrency } = AWS.lambda;
  const throttle = splitThrottles(AWS.apiGateway.requestsPerSecond).webhook.rateLimit;
  // One surface must be able to take everything.
  const ofGateway = (wanted: number) => (wanted * AWS.apiGateway.requestsPerSecond) / throttle;
  const partition = {
    allowed: AWS.dynamodb.writeUnitsOfPartition,
    needed: ONE_WORKSPACE,
    side: 'before' as const,
  };
  return [
    {
      limit: 'API Gateway, requests/s',
      allowed: AWS.apiGateway.requestsPerSecond,
      needed: rate,
      side: 'before',
      raise: quota('API Gateway requests/s', ofGateway),
    },
    {
      limit: "this stack's throttle on one surface, requests/s",
      allowed: throttle,
      needed: rate,
      side: 'before',
      raise: setting('apiRequestsPerSecond', ofGateway),
    },
    {
      limit: 'Lambda, concurrency of all functions',
      allowed: concurrency,
      needed: runningAt(rate, timings),
      side: 'before',
      raise: quota('Lambda concurrency'),
    },
    {
      limit: 'Lambda, requests/s',
      allowed: concurrency * perConcurrency,
      needed: rate * (1 + 1 / STACK.indexBatch),
      side: 'before',
      raise: quota('Lambda concurrency', (wanted) => wanted / perConcurrency),
    },
    // If no environment knows the workspace from the last minute.
    tableOf('Tokens, Forms and FormSecrets, each', 'read', rate),
    tableOf('Workspaces', 'write', rate * cost.workspaces),
    tableOf('Workspaces', 'read', rate * READS.workspaces),
    { ...partition, limit: 'Workspaces: gate item of one workspace, write units/s' },
    // Each environment notes a minute's first use of a token or secret.
    tableOf('Diagnostics', 'write', rate),
    tableOf('Idempotency', 'write', rate * cost.idempotency),
    tableOf('Leads', 'write', rate * leads),
    {
      ...tableOf('Leads when new', 'write', rate * leads),
      allowed: AWS.dynamodb.writeUnitsOfNewTable,
      temporary: true,
    },
    tableOf('Leads', 'read', rate * READS.leads, 'after'),
    tableOf('index of leads by form', 'write', rate * cost.leadsByForm),
    { ...partition, limit: 'index of leads by form: one form, write units/s' },
  ];
}

/** Each stage with its function, its queue or stream, and the tables that it writes to. */
function usesAfter(rate: number, timings: Timings): Use[] {
  const cost = submissionCost();
  const shards = shardsAt(rate);
  const partition = { allowed: AWS.dynamodb.writeUnitsOfPartition, side: 'after' as const };
  const perShard = (milliseconds: number) =>
    (STACK.streamBatch * STACK.batchesAtOncePerShard * 1_000) / milliseconds;
  const ofQueue = (name: string, needed: number, { batch, functions, milliseconds, key }: Queue): Use => ({
    limit: name,
    allowed: (batch * functions * 1_000) / milliseconds,
    needed,
    side: 'after',
    raise: setting(key, (wanted) => (wanted * milliseconds) / (batch * 1_000)),
  });
  const queues = queuesOf(timings);
  return [
    {
      limit: 'stream of Leads and relay, records/s of a shard',
      allowed: perShard(timings.relayBatch),
      needed: (EVENTS_PER_LEAD * rate) / shards,
      side: 'after',
    },
    {
      limit: 'stream of Leads and stats function, leads/s of a shard',
      allowed: perShard(timings.statsBatch),
      needed: rate / shards,
      side: 'after',
    },
    tableOf('Stats', 'write', rate * cost.stats, 'after'),
    { ...partition, limit: 'Stats: counters of one workspace, write units/s', needed: ONE_WORKSPACE },
    // The first lead of each workspace on a day is noted there. At midnight, each of them may be a first one.
    {
      ...partition,
      limit: 'Stats: list of active workspaces after midnight UTC, write units/s',
      needed: rate,
    },
    ofQueue('enrichment queue and function, leads/s', rate, queues.enrichment),
    ofQueue('index queue and function, leads/s', rate, queues.index),
    tableOf('LeadIndex', 'write', rate * cost.leadIndex, 'after'),
    { ...partition, limit: 'LeadIndex: month of one workspace, write units/s', needed: ONE_WORKSPACE },
    ofQueue('dispatch queue and function, events/s', EVENTS_PER_LEAD * rate, queues.dispatch),
    tableOf('Destinations', 'read', rate * READS.destinations, 'after'),
    ofQueue('send queue and function, messages/s', rate, queues.send),
    tableOf('DestinationSecrets', 'read', rate, 'after'),
    ofQueue('slow lane, messages/s', SLOW_SHARE * rate, queues.slowLane),
    tableOf('Messages', 'write', rate, 'after'),
    tableOf('Messages', 'read', rate * READS.messages, 'after'),
    { ...partition, limit: 'Messages: one destination, write units/s', needed: ONE_WORKSPACE },
  ];
}

interface Queue {
  readonly batch: number;
  readonly functions: number;
  readonly milliseconds: number;
  readonly key: string;
}

function queuesOf(timings: Timings) {
  const of = (batch: number, functions: number, milliseconds: number, key: string): Queue => ({
    batch,
    functions,
    milliseconds,
    key,
  });
  return {
    enrichment: of(STACK.enrichBatch, STACK.enrichConcurrency, timings.enrichBatch, 'enrichmentConcurrency'),
    index: of(STACK.indexBatch, STACK.indexConcurrency, timings.indexBatch, 'indexConcurrency'),
    dispatch: of(
      STACK.dispatchBatch,
      STACK.dispatchConcurrency,
      timings.dispatchBatch,
      'dispatchConcurrency',
    ),
    send: of(STACK.sendBatch, STACK.sendConcurrency, timings.sendBatch, 'sendingConcurrency'),
    slowLane: of(STACK.sendBatch, STACK.slowConcurrency, timings.slowBatch, 'slowLaneConcurrency'),
  };
}

/** The functions that run at the same time if nothing lags. */
export function runningAt(rate: number, timings: Timings): number {
  const { enrichment, index, dispatch, send, slowLane } = queuesOf(timings);
  const busy = (perSecond: number, { batch, milliseconds }: Queue) => (perSecond * milliseconds) / batch;
  const stream = (EVENTS_PER_LEAD * timings.relayBatch + timings.statsBatch) / STACK.streamBatch;
  const milliseconds =
    rate * (warmMilliseconds(timings) + stream) +
    busy(rate, enrichment) +
    busy(rate, index) +
    busy(EVENTS_PER_LEAD * rate, dispatch) +
    busy(rate, send) +
    busy(SLOW_SHARE * rate, slowLane);
  return milliseconds / 1_000;
}

/** A shard belongs to a partition, and DynamoDB makes as many of them as the writes need. */
function shardsAt(rate: number): number {
  const { leadStored, leadEnriched } = submissionCost();
  const { partitionsOfNewTable, writeUnitsOfPartition } = AWS.dynamodb;
  return Math.max(
    partitionsOfNewTable,
    Math.ceil((rate * (leadStored + leadEnriched)) / writeUnitsOfPartition),
  );
}

/**
 * Read units per lead: at the gate and by all who look whether the workspace exists; by enrichment, index and send; of
 * destinations twice by dispatch and once by send.
 */
export const READS = { workspaces: 4, leads: 6, destinations: 3, messages: 2 } as const;

function tableOf(name: string, access: 'write' | 'read', needed: number, side: Use['side'] = 'before'): Use {
  const limit = `${name}, ${access} units/s`;
  return {
    limit,
    allowed: AWS.dynamodb.unitsOfTable,
    needed,
    side,
    raise: quota(`${name} ${access} units/s`),
  };
}

function quota(name: string, value: Raise['value'] = (wanted) => wanted): Raise {
  return { kind: 'quota', name, value };
}

function setting(name: string, value: Raise['value']): Raise {
  return { kind: 'setting', name, value };
}

export function share({ needed, allowed }: Use): number {
  return needed / allowed;
}

/** The limit that growing demand reaches first, except those of new tables. */
export function nearestOf(uses: readonly Use[], wanted: Use['side']): Use {
  return uses
    .filter(({ temporary, side }) => !temporary && side === wanted)
    .reduce((a, b) => (share(b) > share(a) ? b : a));
}
