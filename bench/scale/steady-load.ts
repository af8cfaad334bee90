import { splitThrottles } from '../../lib/throttles.ts';
import { AWS, STACK, type Timings, warmMilliseconds } from './limits.ts';
import { submissionCost } from './simulate-submission.ts';

export interface Demand {
  readonly workspaces: number;
  readonly leadsADayEach: number;
  /** How much of a day's leads comes in its busiest hour; 1/24 is an even day. */
  readonly shareOfBusiestHour: number;
}

const ORDINARY = { leadsADayEach: 100, shareOfBusiestHour: 0.15 };
const FULL = { leadsADayEach: 50_000, shareOfBusiestHour: 1 / 24 };

/** An ordinary day, with a busy hour; and every workspace at its limit of a day, spread evenly. */
export const DEMANDS: readonly Demand[] = [ORDINARY, FULL].flatMap((each) =>
  [10, 1_000, 100_000].map((workspaces) => ({ workspaces, ...each })),
);

export function leadsPerSecond({ workspaces, leadsADayEach, shareOfBusiestHour }: Demand): number {
  return (workspaces * leadsADayEach * shareOfBusiestHour) / 3_600;
}

export interface Use {
  readonly limit: string;
  /** What the limit allows, in the unit that its name says. */
  readonly allowed: number;
  readonly needed: number;
  /** Before the 202, where senders notice; or behind it, where things take longer. */
  readonly side: 'before' | 'behind';
  /** What the stack does once it is met. */
  readonly consequence: string;
  /** Met only by a young account or a young table, and gone by itself or by one request. */
  readonly passing?: true;
}

const THROTTLED = 'opaque 200, nothing in Diagnostics';
const RETRIED = 'three tries, then opaque 200 as `internal_error`';
const STATS_LAG = 'the overview lags; nothing is lost for 24 hours';

/** How much of each limit a demand uses, second for second in its busiest hour. */
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
      passing: true,
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
      passing: true,
    },
    ofTable('index of leads by form', cost.leadsByForm),
    { ...ofTable('Stats', cost.stats), side: 'behind', consequence: STATS_LAG },
    {
      limit: 'stats function, leads/s of a shard',
      allowed: (STACK.streamBatch * STACK.batchesAtOncePerShard * 1_000) / timings.statsBatch,
      needed: rate / shards,
      side: 'behind',
      consequence: STATS_LAG,
    },
    {
      limit: 'enrichment function, leads/s',
      allowed: (STACK.enrichBatch * STACK.enrichConcurrency * 1_000) / timings.enrichBatch,
      needed: rate,
      side: 'behind',
      consequence: 'the queue grows; nothing is lost for 14 days',
    },
  ];
}

export function share({ needed, allowed }: Use): number {
  return needed / allowed;
}

/** The limit that is met first as a demand grows, young accounts and tables aside. */
export function nearestOf(uses: readonly Use[], wanted: Use['side']): Use {
  return uses
    .filter(({ passing, side }) => !passing && side === wanted)
    .reduce((a, b) => (share(b) > share(a) ? b : a));
}
