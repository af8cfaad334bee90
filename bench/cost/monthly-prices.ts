/** What is paid by the month: AWS list prices of us-east-1 in US dollars, as in prices.ts. */
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

/** KMS charges for no rotation after these. */
export const PAID_ROTATIONS = 2;

/** Lambda asks an empty queue by five long polls of 20 seconds: https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
export const IDLE_POLLS_A_MONTH = 5 * 3 * 60 * 24 * 30;
