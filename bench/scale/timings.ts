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
