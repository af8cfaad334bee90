/** What this stack sets by itself. A test holds these to the synthesised template and to the code. */
export const STACK = {
  streamBatch: 100,
  batchesAtOncePerShard: 1,
  enrichBatch: 10,
  enrichConcurrency: 10,
  deadlineMilliseconds: 4_000,
  attemptsAtDynamoDb: 3,
  /** The SDK's pauses after a throttled call: a random part of this, doubled each time. */
  pauseAfterThrottleMilliseconds: 500,
} as const;
