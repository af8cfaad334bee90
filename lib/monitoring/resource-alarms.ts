import { Duration } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { METRICS } from '../../lambdas/contract.ts';
import type { Stage } from '../stage.ts';
import { MISSING_IS_OK, type MonitoredResources, type RunbookAlarm } from './runbook-alarm.ts';
import { serviceMetric } from './service-metric.ts';

/** A function ended without a response. Gradual deployments use this one too. */
export const FUNCTION_ERRORS = 'FunctionErrors';

const minute = Duration.minutes(1);

/** Of all functions in the region, also of other services: concurrency is the account's, so one metric says it. */
export function accountThrottles(options: MetricOptions): Metric {
  return new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: 'Sum', ...options });
}

/** Counted by the functions: DynamoDB has two metrics for each table and each index, and CloudWatch bills all of them. */
export function tableThrottles(stage: Stage, options: MetricOptions): Metric {
  return serviceMetric(stage, METRICS.tableThrottles, {}, { statistic: 'Sum', ...options });
}

export function resourceAlarms({ stage, functions }: MonitoredResources): RunbookAlarm[] {
  return [
    ...functions.map((fn) => ({
      heading: FUNCTION_ERRORS,
      of: fn.name,
      meaning: `The function ${fn.name} ended without an answer: it catches what it can, so this is a defect or a timeout.`,
      metric: fn.metricErrors({ period: minute }),
      threshold: 1,
      missingData: MISSING_IS_OK,
    })),
    {
      heading: 'FunctionThrottles',
      meaning: "Lambda refused calls: the account's concurrency in this region is used up.",
      metric: accountThrottles({ period: minute }),
      threshold: 1,
      missingData: MISSING_IS_OK,
    },
    {
      heading: 'TableThrottles',
      meaning: 'DynamoDB throttled reads or writes of a table, or of one of its indexes.',
      metric: tableThrottles(stage, { period: Duration.minutes(5) }),
      // The SDK retries a few.
      threshold: 10,
      missingData: MISSING_IS_OK,
    },
  ];
}
