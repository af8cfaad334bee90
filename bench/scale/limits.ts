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
    writeUnitsOfTable: 40_000,
  },
} as const;

/** This stack's defaults. A test compares them with the template and the code. */
export const STACK = {
  streamBatch: 100,
  batchesAtOncePerShard: 1,
  enrichBatch: 10,
  enrichConcurrency: 2,
  dispatchBatch: 10,
  dispatchConcurrency: 2,
  sendBatch: 10,
  sendConcurrency: 2,
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
  /** One batch of the stats function: reads marks, writes two transactions. */
  readonly statsBatch: number;
  /** One batch of the enrichment function without a provider: reads, DNS, one transaction. */
  readonly enrichBatch: number;
  /** One batch of dispatch: reads destinations, queues messages. */
  readonly dispatchBatch: number;
  /** One batch of messages, sent in parallel to receivers that take 200 ms. */
  readonly sendBatch: number;
}

export const TIMINGS: Timings = {
  coldStart: 600,
  cpu: 5,
  call: 5,
  transaction: 15,
  statsBatch: 100,
  enrichBatch: 500,
  dispatchBatch: 20,
  sendBatch: 300,
};

export function scaled(timings: Timings, by: number): Timings {
  return {
    coldStart: timings.coldStart * by,
    cpu: timings.cpu * by,
    call: timings.call * by,
    transaction: timings.transaction * by,
    statsBatch: timings.statsBatch * by,
    enrichBatch: timings.enrichBatch * by,
    dispatchBatch: timings.dispatchBatch * by,
    sendBatch: timings.sendBatch * by,
  };
}

/** A submission with a key on a warm function: reads key and workspace, passes the gate, writes lead and key in a transaction. */
export function warmMilliseconds({ cpu, call, transaction }: Timings): number {
  return cpu + 2 * call + transaction;
}
