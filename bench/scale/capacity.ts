import type { Surface } from '../../lambdas/submission/limits.ts';
import { splitThrottles, type Throttle } from '../../lib/throttles.ts';
import { AWS } from './aws-limits.ts';
import { type Budget, perSecond, tokenBucket } from './budgets.ts';

/** What a burst meets on its way. */
export interface Capacity {
  gatewayOf(surface: Surface): Budget;
  readonly leads: Budget;
  gateOf(workspace: number): Budget;
  formIndexOf(workspace: number): Budget;
  /** Of authenticated senders. Their keys are request ids, which spread over all partitions. */
  readonly rejections: Budget;
}

/** On tables that take so many write units a second at once; each partition of them takes 1,000. */
export function newCapacity(tableUnits: number): Capacity {
  const spread = () => partitionsOf(tableUnits);
  // Together they are below the quota of the account, which is therefore never met.
  const { server, webhook } = splitThrottles(AWS.apiGateway.requestsPerSecond);
  const methods = { '1a': bucketOf(server), '1b': bucketOf(webhook) };
  return {
    gatewayOf: (surface) => methods[surface],
    leads: perSecond(tableUnits),
    gateOf: spread(),
    formIndexOf: spread(),
    rejections: perSecond(tableUnits),
  };
}

function bucketOf({ rateLimit, burstLimit }: Throttle): Budget {
  return tokenBucket({ size: burstLimit, perSecond: rateLimit });
}

/** Each is shared by the workspaces whose keys fall into it. */
function partitionsOf(tableUnits: number): (workspace: number) => Budget {
  const { writeUnitsOfPartition } = AWS.dynamodb;
  const partitions = Array.from({ length: tableUnits / writeUnitsOfPartition }, () =>
    perSecond(writeUnitsOfPartition),
  );
  return (workspace) => partitions[workspace % partitions.length] as Budget;
}
