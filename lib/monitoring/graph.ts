import { Duration } from 'aws-cdk-lib';
import { GraphWidget, type GraphWidgetProps } from 'aws-cdk-lib/aws-cloudwatch';
import { TABLE_VARIABLES, type TableNoun } from '../../lambdas/contract.ts';

/** Of one point on every graph. */
export const POINT = Duration.minutes(5);

export const NOUNS = Object.keys(TABLE_VARIABLES) as TableNoun[];

/** Three of them fill a row. */
export function graph(title: string, props: GraphWidgetProps): GraphWidget {
  return new GraphWidget({
    title,
    width: 8,
    height: 6,
    leftYAxis: { min: 0 },
    rightYAxis: { min: 0 },
    ...props,
  });
}
