import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';

/**
 * The sum of several metrics, at most ten in an alarm. Where one of them has no value it counts as nothing:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html#metric-math-syntax-arithmetic
 */
export function sumOf(metrics: readonly IMetric[], label: string, period: Duration): MathExpression {
  return sumOfTerms(metrics, label, period, (id) => id);
}

/**
 * The same, and zero where none of them has a value. For metrics of DynamoDB, of which CloudWatch ignores missing data
 * whatever an alarm says: one that went off would stay on until the next incident.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 */
export function filledSumOf(metrics: readonly IMetric[], label: string, period: Duration): MathExpression {
  return sumOfTerms(metrics, label, period, (id) => `FILL(${id}, 0)`);
}

function sumOfTerms(
  metrics: readonly IMetric[],
  label: string,
  period: Duration,
  term: (id: string) => string,
): MathExpression {
  const named = metrics.map((metric, index) => [`${metricId(label)}${index + 1}`, metric] as const);
  return new MathExpression({
    expression: named.map(([id]) => term(id)).join(' + '),
    usingMetrics: Object.fromEntries(named),
    label,
    period,
  });
}

/** What an expression may call a metric. On one graph no two may be called alike, as no two labels are. */
export function metricId(label: string): string {
  return label.toLowerCase().replace(/[^a-z0-9_]/g, '');
}
