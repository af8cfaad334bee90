import type { Surface } from '../../lambdas/submission/limits.ts';
import { splitThrottles, type Throttle } from '../../lib/throttles.ts';
import { AWS } from './limits.ts';

/** Whether this moment has room for so many units; taken if so. */
export type Budget = (now: number, units?: number) => boolean;

/** No more than so many in any second: the strict reading, without the burst capacity that DynamoDB often lends. */
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

/** What a burst meets on its way. */
export interface Capacity {
  gatewayOf(surface: Surface): Budget;
  readonly leads: Budget;
  gateOf(workspace: number): Budget;
  formIndexOf(workspace: number): Budget;
  /** Of authenticated senders. Their keys are request ids, which spread over all partitions. */
  readonly rejections: Budget;
}

/** On tables that take so many write units a second at once; each partition of them takes 1,000. */
export function newCapacity(tableUnits: number): Capacity {
  const spread = () => partitionsOf(tableUnits);
  // Together they are below the quota of the account, which is therefore never met.
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

/** Each is shared by the workspaces whose keys fall into it. */
function partitionsOf(tableUnits: number): (workspace: number) => Budget {
  const { writeUnitsOfPartition } = AWS.dynamodb;
  const partitions = Array.from({ length: tableUnits / writeUnitsOfPartition }, () =>
    perSecond(writeUnitsOfPartition),
  );
  return (workspace) => partitions[workspace % partitions.length] as Budget;
}

/** One execution environment: one request at a time, with a memory of its own. */
export interface Environment {
  warm: boolean;
  /** The minutes of workspaces that this environment has seen full. */
  readonly denials: Set<string>;
}

interface FunctionPool {
  readonly idle: Environment[];
  readonly scaling: Budget;
}

/** The functions of an account: environments are reused while idle, and made while quota and scaling rate allow. */
export class Environments {
  peak = 0;
  private running = 0;
  private readonly pools = new Map<string, FunctionPool>();
  private readonly requests: Budget;
  private readonly concurrency: number;
  private readonly warmAtFirst: number;

  constructor({ concurrency, warm }: { concurrency: number; warm: number }) {
    this.concurrency = concurrency;
    this.warmAtFirst = warm;
    this.requests = perSecond(concurrency * AWS.lambda.requestsPerSecondPerConcurrency);
  }

  /** An environment for a request to this function, or nothing: throttled. */
  take(functionName: string, now: number): Environment | undefined {
    const pool = this.poolOf(functionName);
    if (this.running >= this.concurrency || !this.requests(now)) return undefined;
    const environment = pool.idle.pop() ?? (pool.scaling(now) ? made(false) : undefined);
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
      idle: Array.from({ length: this.warmAtFirst }, () => made(true)),
      scaling: tokenBucket({ size, perSecond: size / 10 }),
    };
    this.pools.set(functionName, pool);
    return pool;
  }
}

function made(warm: boolean): Environment {
  return { warm, denials: new Set() };
}
