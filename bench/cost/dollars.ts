import { ASSUMPTIONS as A } from './assumptions.ts';
import { PRICES } from './prices.ts';

/** What one accepted lead asks of AWS. */
export interface Usage {
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly sqsRequests: number;
  readonly invocations: number;
  readonly milliseconds: number;
  readonly logBytes: number;
}

/** For a million leads, by service. The gateway, its web ACL, log and traces are the same whatever stands behind it. */
export function dollarsPerMillion(usage: Usage): Record<string, number> {
  const each = {
    'API Gateway': PRICES.restRequest,
    WAF: PRICES.webAclRequest,
    Lambda:
      usage.invocations * PRICES.lambdaRequest +
      (usage.milliseconds / 1_000) * A.memoryGigabytes * PRICES.lambdaGigabyteSecond,
    DynamoDB: usage.writeUnits * PRICES.writeUnit + usage.readUnits * PRICES.readUnit,
    SQS: usage.sqsRequests * PRICES.sqsRequest,
    'CloudWatch Logs': (usage.logBytes + A.accessLogBytes) * PRICES.logByte,
    'X-Ray': A.tracedShare * PRICES.trace,
  };
  return Object.fromEntries(Object.entries(each).map(([service, dollars]) => [service, dollars * 1e6]));
}

export function add(...usages: readonly Usage[]): Usage {
  const sum = (name: keyof Usage) => usages.reduce((total, usage) => total + usage[name], 0);
  return {
    writeUnits: sum('writeUnits'),
    readUnits: sum('readUnits'),
    sqsRequests: sum('sqsRequests'),
    invocations: sum('invocations'),
    milliseconds: sum('milliseconds'),
    logBytes: sum('logBytes'),
  };
}

export function totalOf(dollars: Readonly<Record<string, number>>): number {
  return Object.values(dollars).reduce((sum, each) => sum + each, 0);
}
