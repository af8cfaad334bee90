/** How long the deployed functions wait, and how often they try. A test holds these to what is deployed. */
export const PATIENCE = {
  deadlineMilliseconds: 4_000,
  maxAttempts: 3,
  requestTimeoutMilliseconds: 1_500,
  recordingMilliseconds: 300,
  queueTimeoutMilliseconds: 2_000,
} as const;
