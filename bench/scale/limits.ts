/** What AWS publishes, at its defaults. Each figure stands in docs/scale.md with the page that says so. */
export const AWS = {
  apiGateway: { requestsPerSecond: 10_000, burst: 5_000 },
  lambda: {
    concurrency: 1_000,
    /** AWS says "reduced" and raises it with use; 10 is what new accounts are seen to have. */
    concurrencyOfNewAccount: 10,
    environmentsPerTenSeconds: 1_000,
    requestsPerSecondPerConcurrency: 10,
  },
  dynamodb: {
    writeUnitsOfPartition: 1_000,
    /** What a new on-demand table takes at once; it doubles by itself within half an hour. */
    writeUnitsOfNewTable: 4_000,
    partitionsOfNewTable: 4,
    writeUnitsOfTable: 40_000,
  },
} as const;

/** What this stack sets unless a deployer decides otherwise. A test compares these with the synthesised template and with the code. */
export const STACK = {
  streamBatch: 100,
  batchesAtOncePerShard: 1,
  enrichBatch: 10,
  enrichConcurrency: 2,
  deadlineMilliseconds: 4_000,
  attemptsAtDynamoDb: 3,
  /** The SDK's pauses after a throttled call: a random part of this, doubled each time. */
  pauseAfterThrottleMilliseconds: 500,
} as const;

/**
 * Assumed, not measured: no account stands behind this repository. AWS promises single-digit milliseconds for a
 * DynamoDB call. The test asks for the same conclusions at half and at twice these times.
 */
export interface Timings {
  readonly coldStart: number;
  readonly cpu: number;
  readonly call: number;
  readonly transaction: number;
  /** A batch of the stats function: reads marks, writes two transactions. */
  readonly statsBatch: number;
  /** A batch of the enrichment function without a provider: reads, DNS, one transaction. */
  readonly enrichBatch: number;
}

export const TIMINGS: Timings = {
  coldStart: 600,
  cpu: 5,
  call: 5,
  transaction: 15,
  statsBatch: 100,
  enrichBatch: 500,
};

export function scaled(timings: Timings, by: number): Timings {
  return {
    coldStart: timings.coldStart * by,
    cpu: timings.cpu * by,
    call: timings.call * by,
    transaction: timings.transaction * by,
    statsBatch: timings.statsBatch * by,
    enrichBatch: timings.enrichBatch * by,
  };
}

/** A keyed submission on a warm function: key and workspace, gate, lead and key in a transaction. */
export function warmMilliseconds({ cpu, call, transaction }: Timings): number {
  return cpu + 2 * call + transaction;
}
