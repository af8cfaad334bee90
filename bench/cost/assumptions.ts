/** What no measurement on one machine can tell, the same for everything that is compared. */
export const ASSUMPTIONS = {
  memoryGigabytes: 1,
  /** Share of a processor that 1,024 MB buys on Lambda: a whole one comes with 1,769 MB. */
  processorShare: 1_024 / 1_769,
  dynamoDbMilliseconds: 4,
  sqsMilliseconds: 8,
  /** How many leads a function in the background takes at a time: at most 100 from the stream, 10 from the queue. */
  leadsPerBatch: 10,
  /** How long such a batch takes. Enrichment waits for DNS. */
  relayMilliseconds: 15,
  statsMilliseconds: 20,
  enrichMilliseconds: 150,
  /** Lambda's own lines about an invocation, and API Gateway's access log line, with 26 bytes for each event. */
  platformLogBytes: 700,
  accessLogBytes: 520,
  /** More than the largest file of the console has, uncompressed. */
  consoleFileBytes: 700_000,
  /** X-Ray's default rule. */
  tracedShare: 0.05,
} as const;
