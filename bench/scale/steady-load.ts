import { splitThrottles } from '../../lib/throttles.ts';
import { AWS, STACK, type Timings, warmMilliseconds } from './capacity.ts';
import { submissionCost } from './simulate-submission.ts';

export interface Demand {
  readonly workspaces: number;
  readonly leadsPerDayEach: number;
  /** The share of a day's leads in its busiest hour. 1/24 means an even day. */
  readonly shareOfBusiestHour: number;
}

const ORDINARY = { leadsPerDayEach: 100, shareOfBusiestHour: 0.15 };
const FULL = { leadsPerDayEach: 50_000, shareOfBusiestHour: 1 / 24 };

/** An ordinary day with a busy hour, and every workspace at its daily limit, spread evenly. */
export const DEMANDS: readonly Demand[] = [ORDINARY, FULL].flatMap((each) =>
  [10, 1_000, 100_000].map((workspaces) => ({ workspaces, ...each })),
);

export function leadsPerSecond({ workspaces, leadsPerDayEach, shareOfBusiestHour }: Demand): number {
  return (workspaces * leadsPerDayEach * shareOfBusiestHour) / 3_600;
}

export interface Use {
  readonly limit: string;
  /** In the unit that the limit's name says. */
  readonly allowed: number;
  readonly needed: number;
  /** Before the 202, where senders notice, or after it, where processing only takes longer. */
  readonly side: 'before' | 'after';
  /** What happens when the limit is reached. */
  readonly consequence: string;
  /** Only of a new account or table: AWS raises it with use, or on request. */
  readonly temporary?: true;
}

const THROTTLED = 'opaque 200, nothing in Diagnostics';
const RETRIED = 'three tries, then opaque 200 as `internal_error`';
const QUEUE_GROWS = 'the queue grows; nothing is lost for 14 days';
const STATS_LAG = 'the overview lags; nothing is lost for 24 hours';

/** How much of each limit a demand uses per second of its busiest hour. */
export function usesOf(demand: Demand, timings: Timings): Use[] {
  const rate = leadsPerSecond(demand);
  const cost = submissionCost();
  const leads = cost.leadStored + cost.leadEnriched;
  const shards = Math.max(
    AWS.dynamodb.partitionsOfNewTable,
    Math.ceil((rate * leads) / AWS.dynamodb.writeUnitsOfPartition),
  );
  const running = (rate * warmMilliseconds(timings)) / 1_000;
  const ofTable = (name: string, units: number): Use => ({
    limit: `${name}, write units/s`,
    allowed: AWS.dynamodb.writeUnitsOfTable,
    needed: rate * units,
    side: 'before',
    consequence: RETRIED,
  });

  return [
    {
      limit: 'API Gateway, requests/s',
      allowed: AWS.apiGateway.requestsPerSecond,
      needed: rate,
      side: 'before',
      consequence: THROTTLED,
    },
    {
      limit: "this stack's throttle on one surface, requests/s",
      allowed: splitThrottles(AWS.apiGateway.requestsPerSecond).webhook.rateLimit,
      needed: rate,
      side: 'before',
      consequence: THROTTLED,
    },
    {
      limit: 'Lambda, concurrency',
      allowed: AWS.lambda.concurrency,
      needed: running,
      side: 'before',
      consequence: THROTTLED,
    },
    {
      limit: 'Lambda of a new account, concurrency',
      allowed: AWS.lambda.concurrencyOfNewAccount,
      needed: running,
      side: 'before',
      consequence: THROTTLED,
      temporary: true,
    },
    {
      limit: 'Lambda, requests/s',
      allowed: AWS.lambda.concurrency * AWS.lambda.requestsPerSecondPerConcurrency,
      needed: rate,
      side: 'before',
      consequence: THROTTLED,
    },
    {
      limit: 'gate item of one workspace, write units/s',
      allowed: AWS.dynamodb.writeUnitsOfPartition,
      needed: rate / demand.workspaces,
      side: 'before',
      consequence: RETRIED,
    },
    ofTable('Workspaces', cost.workspaces),
    ofTable('Idempotency', cost.idempotency),
    ofTable('Leads', leads),
    {
      ...ofTable('Leads when new', leads),
      allowed: AWS.dynamodb.writeUnitsOfNewTable,
      temporary: true,
    },
    ofTable('index of leads by form', cost.leadsByForm),
    { ...ofTable('Stats', cost.stats), side: 'after', consequence: STATS_LAG },
    {
      limit: 'stats function, leads/s of a shard',
      allowed: (STACK.streamBatch * STACK.batchesAtOncePerShard * 1_000) / timings.statsBatch,
      needed: rate / shards,
      side: 'after',
      consequence: STATS_LAG,
    },
    {
      limit: 'enrichment function, leads/s',
      allowed: (STACK.enrichBatch * STACK.enrichConcurrency * 1_000) / timings.enrichBatch,
      needed: rate,
      side: 'after',
      consequence: QUEUE_GROWS,
    },
    { ...ofTable('LeadIndex', cost.leadIndex), side: 'after', consequence: QUEUE_GROWS },
    {
      limit: 'index function, leads/s',
      allowed: (STACK.indexBatch * STACK.indexConcurrency * 1_000) / timings.indexBatch,
      needed: rate,
      side: 'after',
      consequence: QUEUE_GROWS,
    },
    // Each lead is announced twice, when it is accepted and when it is enriched; one destination subscribes to the first.
    {
      limit: 'dispatch function, events/s',
      allowed: (STACK.dispatchBatch * STACK.dispatchConcurrency * 1_000) / timings.dispatchBatch,
      needed: 2 * rate,
      side: 'after',
      consequence: QUEUE_GROWS,
    },
    {
      limit: 'send function, messages/s',
      allowed: (STACK.sendBatch * STACK.sendConcurrency * 1_000) / timings.sendBatch,
      needed: rate,
      side: 'after',
      consequence: QUEUE_GROWS,
    },
    { ...ofTable('Messages', 1), side: 'after', consequence: QUEUE_GROWS },
  ];
}

export function share({ needed, allowed }: Use): number {
  return needed / allowed;
}

/** The limit that growing demand reaches first, except those of new accounts and tables. */
export function nearestOf(uses: readonly Use[], wanted: Use['side']): Use {
  return uses
    .filter(({ temporary, side }) => !temporary && side === wanted)
    .reduce((a, b) => (share(b) > share(a) ? b : a));
}
