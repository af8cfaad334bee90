/**
 * AWS list prices of us-east-1 in US dollars, without free tiers and volume discounts, as published in the first half
 * of 2026. Check them against the pages named before you rely on a total; the comparison is less sensitive to them.
 */
export const PRICES = {
  /** https://aws.amazon.com/api-gateway/pricing/ REST API, a request. */
  restRequest: 3.5e-6,
  /** The same page: HTTP API, a request. */
  httpRequest: 1e-6,
  /** https://aws.amazon.com/cloudfront/pricing/ an HTTPS request, a run of a CloudFront function, a byte to a viewer. */
  cloudFrontRequest: 1e-6,
  cloudFrontFunction: 0.1e-6,
  cloudFrontByte: 0.085e-9,
  /** https://aws.amazon.com/waf/pricing/ a request that the web ACL looks at. */
  webAclRequest: 0.6e-6,
  /** https://aws.amazon.com/lambda/pricing/ a request, and a GB-second on arm64. */
  lambdaRequest: 0.2e-6,
  lambdaGigabyteSecond: 0.0000133334,
  /** https://aws.amazon.com/dynamodb/pricing/on-demand/ standard table class. Lambda reads streams free of charge. */
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  /** https://aws.amazon.com/sqs/pricing/ standard queue, a request. */
  sqsRequest: 0.4e-6,
  /** https://aws.amazon.com/cloudwatch/pricing/ ingestion of a byte, standard class. */
  logByte: 0.5e-9,
  /** https://aws.amazon.com/xray/pricing/ a trace recorded. */
  trace: 5e-6,
} as const;

/** Monthly list prices of us-east-1 in US dollars. */
export const MONTHLY_PRICES = {
  /** https://aws.amazon.com/kms/pricing/ a key of one's own, and each of its first two yearly rotations. */
  kmsKey: 1,
  kmsKeyRotation: 1,
  /** https://aws.amazon.com/waf/pricing/ a web ACL, and a rule in it. */
  webAcl: 5,
  webAclRule: 1,
  /** https://aws.amazon.com/cloudwatch/pricing/ an alarm on one metric, one on other alarms, and a dashboard. */
  alarm: 0.1,
  compositeAlarm: 0.5,
  dashboard: 3,
  /** The same page: a metric of one's own, by the hours in which it is written. */
  customMetric: 0.3,
} as const;

/** KMS charges only for the first rotations. */
export const PAID_ROTATIONS = 2;

/** Lambda polls an empty queue with five long polls of 20 seconds: https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
export const IDLE_POLLS_A_MONTH = 5 * 3 * 60 * 24 * 30;

/** What can't be measured on one machine. The same for everything that is compared. */
export const ASSUMPTIONS = {
  memoryGigabytes: 1,
  /** Lambda's share of a processor at 1,024 MB; a whole one comes with 1,769 MB. */
  processorShare: 1_024 / 1_769,
  dynamoDbMilliseconds: 4,
  sqsMilliseconds: 8,
  /** Leads per batch of a background function: at most 100 from the stream, 10 from the queue. */
  leadsPerBatch: 10,
  /** Duration of such a batch. Enrichment waits for DNS. */
  relayMilliseconds: 15,
  statsMilliseconds: 20,
  enrichMilliseconds: 150,
  /** Lambda's own lines about an invocation, and API Gateway's access log line, with 26 bytes for each event. */
  platformLogBytes: 700,
  accessLogBytes: 520,
  /** More than the largest file of the console, uncompressed. */
  consoleFileBytes: 700_000,
  /** X-Ray's default rule. */
  tracedShare: 0.05,
} as const;
