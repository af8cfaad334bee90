import { Duration } from 'aws-cdk-lib';
import { TABLE_VARIABLES, type TableNoun } from '../../lambdas/contract.ts';
import { NONE_IS_FINE, type RunbookAlarm } from './runbook-alarm.ts';
import type { Watched } from './watched.ts';

export const FUNCTION_ERRORS = 'FunctionErrors';

/** A minute that DynamoDB has not reported yet is filled with zero: the period before it is looked at once more. */
const ALSO_THE_PERIOD_BEFORE = { bad: 1, outOf: 2 };

/** Every function and every table, whatever it serves. */
export function resourceAlarms({ functions, tables }: Watched): RunbookAlarm[] {
  const minute = Duration.minutes(1);
  const fiveMinutes = Duration.minutes(5);
  const nouns = Object.keys(TABLE_VARIABLES) as TableNoun[];
  return [
    ...functions.map((fn) => ({
      heading: FUNCTION_ERRORS,
      of: fn.name,
      meaning: `The function ${fn.name} ended without an answer: it catches what it can, so this is a defect or a timeout.`,
      metric: fn.metricErrors({ period: minute }),
      threshold: 1,
      missingData: NONE_IS_FINE,
    })),
    ...functions.map((fn) => ({
      heading: 'FunctionThrottles',
      of: fn.name,
      meaning: `Lambda refused calls of the function ${fn.name}: the account's concurrency is used up.`,
      metric: fn.metricThrottles({ period: minute }),
      threshold: 1,
      missingData: NONE_IS_FINE,
    })),
    ...nouns.map((noun) => ({
      heading: 'TableThrottles',
      of: noun,
      meaning: `DynamoDB put off reads or writes of the table ${noun} or of its indexes.`,
      metric: tables.metricThrottles(noun, fiveMinutes),
      // Fewer are what the SDK's retries are for.
      threshold: 10,
      periods: ALSO_THE_PERIOD_BEFORE,
      missingData: NONE_IS_FINE,
    })),
    ...nouns.map((noun) => ({
      heading: 'TableSystemErrors',
      of: noun,
      meaning: `DynamoDB itself failed at calls on the table ${noun}.`,
      metric: tables.metricSystemErrors(noun, fiveMinutes),
      // As above: one in a while is DynamoDB's ordinary life.
      threshold: 5,
      periods: ALSO_THE_PERIOD_BEFORE,
      missingData: NONE_IS_FINE,
    })),
  ];
}
