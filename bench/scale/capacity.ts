import { AWS } from './aws-limits.ts';
import { type Budget, perSecond, tokenBucket } from './budgets.ts';

/** What a burst meets on its way. */
export interface Capacity {
  readonly gateway: Budget;
  readonly leads: Budget;
  gateOf(workspace: number): Budget;
  formIndexOf(workspace: number): Budget;
  diagnosticsOf(workspace: number): Budget;
}

/** On tables that take so many write units a second at once; each partition of them takes 1,000. */
export function newCapacity(tableUnits: number): Capacity {
  const spread = () => partitionsOf(tableUnits);
  return {
    gateway: tokenBucket({ size: AWS.apiGateway.burst, perSecond: AWS.apiGateway.requestsPerSecond }),
    leads: perSecond(tableUnits),
    gateOf: spread(),
    formIndexOf: spread(),
    diagnosticsOf: spread(),
  };
}

/** Each is shared by the workspaces whose keys fall into it. */
function partitionsOf(tableUnits: number): (workspace: number) => Budget {
  const { writeUnitsOfPartition } = AWS.dynamodb;
  const partitions = Array.from({ length: tableUnits / writeUnitsOfPartition }, () =>
    perSecond(writeUnitsOfPartition),
  );
  return (workspace) => partitions[workspace % partitions.length] as Budget;
}
