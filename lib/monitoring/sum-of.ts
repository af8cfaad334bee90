import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';

/**
 * The sum of several metrics, at most ten in an alarm. Where one of them has no value it counts as nothing:
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

/** What an expression may call a metric. On one graph no two may be called alike, as no two labels are. */
export function metricId(label: string): string {
  return label.toLowerCase().replace(/[^a-z0-9_]/g, '');
}
