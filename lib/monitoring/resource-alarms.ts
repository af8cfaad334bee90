import { Duration } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { MISSING_IS_OK, type MonitoredResources, type RunbookAlarm } from './runbook-alarm.ts';
import { TABLE_KEYS } from './service-metric.ts';

/** A function ended without a response. Gradual deployments use this one too. */
export const FUNCTION_ERRORS = 'FunctionErrors';

/** Minutes that DynamoDB has not reported yet count as zero, so the period before is evaluated once more. */
const ONE_OF_TWO_PERIODS = { bad: 1, outOf: 2 };

const minute = Duration.minutes(1);
const fiveMinutes = Duration.minutes(5);

/** Of all functions in the region, also of other services: concurrency is the account's, so one metric says it. */
export function accountThrottles(options: MetricOptions): Metric {
  return new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: 'Sum', ...options });
}

export function functionAlarms({ functions }: MonitoredResources): RunbookAlarm[] {
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
  ];
}

export function tableAlarms({ tables }: MonitoredResources): RunbookAlarm[] {
  return TABLE_KEYS.map((tableKey) => ({
    heading: 'TableThrottles',
    of: tableKey,
    meaning: `DynamoDB put off reads or writes of the table ${tableKey} or of its indexes.`,
    metric: tables.metricThrottles(tableKey, fiveMinutes),
    // The SDK retries a few.
    threshold: 10,
    periods: ONE_OF_TWO_PERIODS,
    missingData: MISSING_IS_OK,
  }));
}
