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
