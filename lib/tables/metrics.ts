import type { Duration } from 'aws-cdk-lib';
import { type MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableNoun } from '../../lambdas/contract.ts';
import { filledSumOf } from '../monitoring/sum-of.ts';
import { TABLE_SHAPES } from './shapes.ts';

/** DynamoDB counts a table and each of its indexes apart, and an index that cannot follow holds up its table. */
export function throttlesOf(noun: TableNoun, TableName: string, period: Duration): MathExpression {
  const indexes = TABLE_SHAPES[noun].globalSecondaryIndexes ?? [];
  const places: Record<string, string>[] = [
    { TableName },
    ...indexes.map(({ indexName }) => ({ TableName, GlobalSecondaryIndexName: indexName })),
  ];
  const metrics = places.flatMap((dimensions) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => countOf(name, dimensions, period)),
  );
  return filledSumOf(metrics, noun, period);
}

/** DynamoDB counts its own failures by operation. */
export function systemErrorsOf(
  noun: TableNoun,
  TableName: string,
  operations: readonly string[],
  period: Duration,
): MathExpression {
  const metrics = operations
    .toSorted()
    .map((Operation) => countOf('SystemErrors', { TableName, Operation }, period));
  return filledSumOf(metrics, noun, period);
}

function countOf(metricName: string, dimensionsMap: Record<string, string>, period: Duration): Metric {
  return new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: 'Sum', period });
}
