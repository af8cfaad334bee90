import { IN_TURN_LANES, IN_TURN_VARIABLE } from '../../lambdas/contract.ts';
import { AWS } from './capacity.ts';

interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export type Resources = Readonly<Record<string, TemplateResource>>;

/** How many functions can run at once for what no sender waits for, by the resource that starts them. */
export function backgroundConcurrency(resources: Resources): Record<string, number> {
  const found = Object.entries(resources).flatMap(([id, { Type, Properties = {} }]) => {
    const takes = TAKEN[Type]?.(Properties) ?? 0;
    return takes === 0 ? [] : [[id, takes]];
  });
  return Object.fromEntries(found);
}

type Taken = (properties: Readonly<Record<string, unknown>>) => number;

/** Custom resources run during a deployment only. A rule with a pattern runs for an event, such as a bounce. */
const TAKEN: Readonly<Record<string, Taken>> = {
  'AWS::Lambda::EventSourceMapping': (mapping) => {
    if (mapping.Enabled === false) return 0;
    const scaling = mapping.ScalingConfig as { readonly MaximumConcurrency: number } | undefined;
    if (scaling) return scaling.MaximumConcurrency;
    // A new table has as many shards as partitions.
    return AWS.dynamodb.partitionsOfNewTable * Number(mapping.ParallelizationFactor ?? 1);
  },
  'AWS::Events::Rule': ({ ScheduleExpression, State, Targets }) =>
    ScheduleExpression === undefined || State === 'DISABLED' ? 0 : (Targets as unknown[]).length,
  // It waits for those that it invokes, one in each lane.
  'AWS::Lambda::Function': ({ Environment }) => {
    const { Variables = {} } = (Environment ?? {}) as { readonly Variables?: object };
    return IN_TURN_VARIABLE in Variables ? IN_TURN_LANES : 0;
  },
};

export function sumOf(concurrency: Readonly<Record<string, number>>): number {
  return Object.values(concurrency).reduce((sum, each) => sum + each, 0);
}
