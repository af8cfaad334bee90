import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { METRICS } from '../../lambdas/contract.ts';
import type { Stage } from '../stage.ts';

/** Of what the functions measure themselves. By stage, since two stages may share an account. */
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
