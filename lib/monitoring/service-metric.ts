import { Duration } from 'aws-cdk-lib';
import {
  GraphWidget,
  type GraphWidgetProps,
  type IMetric,
  MathExpression,
  Metric,
  type MetricOptions,
} from 'aws-cdk-lib/aws-cloudwatch';
import { METRICS, TABLE_VARIABLES, type TableKey } from '../../lambdas/contract.ts';
import type { Stage } from '../stage.ts';

/** The namespace of the functions' own metrics. By stage, since two stages may share an account. */
export function metricsNamespace(stage: Stage): string {
  return `${METRICS.namespace}/${stage.name}`;
}

/** A metric of that namespace. Its dimensions must be those of the line that a function writes, no more and no fewer. */
export function serviceMetric(
  stage: Stage,
  metricName: string,
  dimensionsMap: Readonly<Record<string, string>>,
  options: MetricOptions,
): Metric {
  return new Metric({
    namespace: metricsNamespace(stage),
    metricName,
    dimensionsMap: { ...dimensionsMap },
    ...options,
  });
}

/**
 * The sum of several metrics, at most ten in an alarm. A missing value counts as zero if another has one:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html#metric-math-syntax-arithmetic
 */
export function sumOf(metrics: readonly IMetric[], label: string, period: Duration): MathExpression {
  const named = metrics.map((metric, index) => [`${metricId(label)}${index + 1}`, metric] as const);
  return new MathExpression({
    expression: named.map(([id]) => id).join(' + '),
    usingMetrics: Object.fromEntries(named),
    label,
    period,
  });
}

/** A valid id for a metric in an expression. Ids must be unique per graph, as labels are. */
export function metricId(label: string): string {
  return label.toLowerCase().replace(/[^a-z0-9_]/g, '');
}

/** The period of every graph. */
export const POINT = Duration.minutes(5);

export const TABLE_KEYS = Object.keys(TABLE_VARIABLES) as TableKey[];

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
