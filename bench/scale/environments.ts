import { AWS } from './aws-limits.ts';
import { type Budget, perSecond, tokenBucket } from './budgets.ts';

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
