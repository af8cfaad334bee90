/** What is paid by the month, used or not: AWS list prices of us-east-1 in US dollars, as in prices.ts. */
export const MONTHLY_PRICES = {
  /** https://aws.amazon.com/kms/pricing/ a key of one's own. */
  kmsKey: 1,
  /** https://aws.amazon.com/waf/pricing/ a web ACL, and a rule in it. */
  webAcl: 5,
  webAclRule: 1,
  /** https://aws.amazon.com/cloudwatch/pricing/ an alarm on one metric, one on other alarms, and a dashboard. */
  alarm: 0.1,
  compositeAlarm: 0.5,
  dashboard: 3,
} as const;

/** Lambda asks an empty queue by five long polls of 20 seconds: https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
export const IDLE_POLLS_A_MONTH = 5 * 3 * 60 * 24 * 30;
