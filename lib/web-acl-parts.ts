import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';

/** The shortest window that WAF counts over: a flood is noticed soonest, and an honest burst forgotten soonest. */
const WINDOW_SECONDS = 60;

export const AS_SENT = [{ priority: 0, type: 'NONE' }];

export interface RateScope {
  /** Counts each path of an address by itself. */
  readonly byPath?: boolean;
  /** Which requests count at all. */
  readonly scope?: CfnWebACL.StatementProperty;
}

/** What comes from one address above so many requests per minute. WAF estimates: it may take half a minute to notice. */
export function rateRule(
  requestsPerMinute: number,
  { byPath = false, scope }: RateScope = {},
): CfnWebACL.StatementProperty {
  return {
    rateBasedStatement: {
      limit: requestsPerMinute,
      evaluationWindowSec: WINDOW_SECONDS,
      ...(byPath
        ? {
            aggregateKeyType: 'CUSTOM_KEYS',
            customKeys: [{ ip: {} }, { uriPath: { textTransformations: AS_SENT } }],
          }
        : { aggregateKeyType: 'IP' }),
      ...(scope && { scopeDownStatement: scope }),
    },
  };
}

/** Counted, never sampled: a sample shows a request's headers, tokens among them. */
export function countedAs(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false, metricName };
}
