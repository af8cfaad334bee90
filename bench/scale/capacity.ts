import type { Surface } from '../../lambdas/model/limits.ts';
import { splitThrottles, type Throttle } from '../../lib/throttles.ts';

/** AWS's published defaults. docs/scale.md links the source of each figure. */
export const AWS = {
  apiGateway: { requestsPerSecond: 10_000, burst: 5_000 },
  lambda: {
    concurrency: 1_000,
    /** AWS only says "reduced", and raises it with use. New accounts have been seen to have 10. */
    concurrencyOfNewAccount: 10,
    environmentsPerTenSeconds: 1_000,
    requestsPerSecondPerConcurrency: 10,
  },
  dynamodb: {
    writeUnitsOfPartition: 1_000,
    /** DynamoDB doubles this within half an hour of use. */
    writeUnitsOfNewTable: 4_000,
    partitionsOfNewTable: 4,
    /** Write units and read units alike. */
    unitsOfTable: 40_000,
  },
} as const;

/** This stack's defaults. A test compares them with the template and the code. */
export const STACK = {
  streamBatch: 100,
  batchesAtOncePerShard: 1,
  enrichBatch: 10,
  enrichConcurrency: 2,
  indexBatch: 10,
  indexConcurrency: 2,
  dispatchBatch: 10,
  dispatchConcurrency: 2,
  sendBatch: 10,
  sendConcurrency: 2,
  slowConcurrency: 2,
  /** In a small account, functions that may run for 30 seconds are started in the first 27 of a minute. */
  inTurnSecondsPerMinute: 27,
  deadlineMilliseconds: 4_000,
  attemptsAtDynamoDb: 3,
  /** The SDK waits a random part of this after a throttled call, and doubles it each time. */
  pauseAfterThrottleMilliseconds: 500,
} as const;

/**
 * Assumed, not measured on AWS, which promises single-digit milliseconds for a DynamoDB call. A test requires the same
 * conclusions at half and at twice these times.
 */
export interface Timings {
  readonly coldStart: number;
  readonly cpu: number;
  readonly call: number;
  readonly transaction: number;
  /** One batch of the relay: ten calls to each queue, one after the other. */
  readonly relayBatch: number;
  /** One batch of the stats function: reads marks, updates counters. */
  readonly statsBatch: number;
  /** One batch of the enrichment function without a provider: reads, DNS, one write, one more read. */
  readonly enrichBatch: number;
  /** One batch of the index function: reads, writes the list entry and then the others, reads again. */
  readonly indexBatch: number;
  /** One batch of dispatch: reads destinations, queues messages. */
  readonly dispatchBatch: number;
  /** One batch of messages, sent in parallel to receivers that take 200 ms. */
  readonly sendBatch: number;
  /** The same, to receivers that take 5 seconds. */
  readonly slowBatch: number;
}

export const TIMINGS: Timings = {
  coldStart: 600,
  cpu: 5,
  call: 5,
  transaction: 15,
  relayBatch: 100,
  statsBatch: 100,
  enrichBatch: 500,
  indexBatch: 100,
  dispatchBatch: 20,
  sendBatch: 300,
  slowBatch: 5_000,
};

export function scaled(timings: Timings, by: number): Timings {
  return {
    coldStart: timings.coldStart * by,
    cpu: timings.cpu * by,
    call: timings.call * by,
    transaction: timings.transaction * by,
    relayBatch: timings.relayBatch * by,
    statsBatch: timings.statsBatch * by,
    enrichBatch: timings.enrichBatch * by,
    indexBatch: timings.indexBatch * by,
    dispatchBatch: timings.dispatchBatch * by,
    sendBatch: timings.sendBatch * by,
    slowBatch: timings.slowBatch * by,
  };
}

/** A submission with a key on a warm function: reads key and workspace, passes the gate, writes lead and key in a transaction. */
export function warmMilliseconds({ cpu, call, transaction }: Timings): number {
  return cpu + 2 * call + transaction;
}

/** Takes units if they are available at this moment, and returns whether they were. */
export type Budget = (now: number, units?: number) => boolean;

/** A strict limit for any second, without the burst capacity that DynamoDB often adds. */
export function perSecond(units: number): Budget {
  const taken: number[] = [];
  let oldest = 0;
  return (now, wanted = 1) => {
    while (oldest < taken.length && (taken[oldest] as number) <= now - 1_000) oldest += 1;
    if (taken.length - oldest + wanted > units) return false;
    for (let unit = 0; unit < wanted; unit += 1) taken.push(now);
    return true;
  };
}

export function tokenBucket({ size, perSecond: refill }: { size: number; perSecond: number }): Budget {
  let tokens = size;
  let filledAt = 0;
  return (now, wanted = 1) => {
    tokens = Math.min(size, tokens + ((now - filledAt) * refill) / 1_000);
    filledAt = now;
    if (tokens < wanted) return false;
    tokens -= wanted;
    return true;
  };
}

/** The limits that a burst meets, in order. */
export interface Capacity {
  gatewayOf(surface: Surface): Budget;
  readonly leads: Budget;
  gateOf(workspace: number): Budget;
  formIndexOf(workspace: number): Budget;
  /** For authenticated senders. Keys are request ids, which spread over all partitions. */
  readonly rejections: Budget;
}

/** For tables that take this many write units per second. Each of their partitions takes 1,000. */
export function newCapacity(tableUnits: number): Capacity {
  const spread = () => partitionsOf(tableUnits);
  // Together they are below the account's quota, which is therefore never reached.
  const { server, webhook } = splitThrottles(AWS.apiGateway.requestsPerSecond);
  const methods = { '1a': bucketOf(server), '1b': bucketOf(webhook) };
  return {
    gatewayOf: (surface) => methods[surface],
    leads: perSecond(tableUnits),
    gateOf: spread(),
    formIndexOf: spread(),
    rejections: perSecond(tableUnits),
  };
}

function bucketOf({ rateLimit, burstLimit }: Throttle): Budget {
  return tokenBucket({ size: burstLimit, perSecond: rateLimit });
}

/** Workspaces share the partition that their key falls into. */
function partitionsOf(tableUnits: number): (workspace: number) => Budget {
  const { writeUnitsOfPartition } = AWS.dynamodb;
  const partitions = Array.from({ length: tableUnits / writeUnitsOfPartition }, () =>
    perSecond(writeUnitsOfPartition),
  );
  return (workspace) => partitions[workspace % partitions.length] as Budget;
}

/** An execution environment handles one request at a time, and has its own memory. */
export interface Environment {
  warm: boolean;
  /** The workspaces and minutes for which this environment has seen the limit exceeded. */
  readonly denials: Set<string>;
}

interface FunctionPool {
  readonly idle: Environment[];
  readonly scaling: Budget;
}

/** The functions of an account. Idle environments are reused; new ones start if quota and scaling rate allow. */
export class Environments {
  peak = 0;
  private running: number;
  private readonly pools = new Map<string, FunctionPool>();
  private readonly requests: Budget;
  private readonly concurrency: number;
  private readonly warmAtStart: number;

  /** `taken`: by other work, all the time. */
  constructor({ concurrency, warm, taken = 0 }: { concurrency: number; warm: number; taken?: number }) {
    this.concurrency = concurrency;
    this.running = taken;
    this.warmAtStart = warm;
    this.requests = perSecond(concurrency * AWS.lambda.requestsPerSecondPerConcurrency);
  }

  /** An environment for a request to this function; undefined if the request is throttled. */
  take(functionName: string, now: number): Environment | undefined {
    const pool = this.poolOf(functionName);
    if (this.running >= this.concurrency || !this.requests(now)) return undefined;
    const environment = pool.idle.pop() ?? (pool.scaling(now) ? newEnvironment(false) : undefined);
    if (!environment) return undefined;
    this.running += 1;
    this.peak = Math.max(this.peak, this.running);
    return environment;
  }

  giveBack(functionName: string, environment: Environment): void {
    this.running -= 1;
    this.poolOf(functionName).idle.push(environment);
  }

  private poolOf(functionName: string): FunctionPool {
    const known = this.pools.get(functionName);
    if (known) return known;
    const { environmentsPerTenSeconds: size } = AWS.lambda;
    const pool = {
      idle: Array.from({ length: this.warmAtStart }, () => newEnvironment(true)),
      scaling: tokenBucket({ size, perSecond: size / 10 }),
    };
    this.pools.set(functionName, pool);
    return pool;
  }
}

function newEnvironment(warm: boolean): Environment {
  return { warm, denials: new Set() };
}
