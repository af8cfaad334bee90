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
