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
