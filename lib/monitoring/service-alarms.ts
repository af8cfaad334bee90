import { Duration } from 'aws-cdk-lib';
import { TABLE_VARIABLES, type TableNoun } from '../../lambdas/contract.ts';
import {
  MISSING_IS_IGNORED,
  MISSING_IS_OK,
  type MonitoredResources,
  type RunbookAlarm,
} from './runbook-alarm.ts';

const period = Duration.minutes(5);

/** Everything after the 202. These go off early, while nothing is lost yet. */
export function backgroundAlarms({ recorder, enrichment, leadStats }: MonitoredResources): RunbookAlarm[] {
  const streams = {
    relay: enrichment.metricStreamAge({ period }),
    stats: leadStats.metricStreamAge({ period }),
    recorder: recorder.metricStreamAge('authenticated', { period }),
    'recorder-unauthenticated': recorder.metricStreamAge('unauthenticated', { period }),
  };
  return [
    ...Object.entries(streams).map(([name, metric]) => ({
      heading: 'StreamBehind',
      of: name,
      meaning: `The function ${name} is a quarter of an hour behind its stream, which forgets after 24 hours.`,
      metric,
      threshold: Duration.minutes(15).toMilliseconds(),
      missingData: MISSING_IS_IGNORED,
    })),
    {
      heading: 'EnrichmentBehind',
      meaning: 'A clean lead has waited for an hour to be enriched. The queue forgets after 14 days.',
      metric: enrichment.metricQueueAge({ period }),
      // A message that fails again and again is a dead letter after a few minutes, long before this.
      threshold: Duration.hours(1).toSeconds(),
      // SQS is silent about a queue that nobody has used for hours: it is empty.
      missingData: MISSING_IS_OK,
    },
    {
      heading: 'DeadLetters',
      meaning: 'The enrichment of a lead failed five times, and waits for somebody.',
      metric: enrichment.metricDeadLetters({ period }),
      threshold: 1,
      missingData: MISSING_IS_OK,
    },
  ];
}

/** Whether leads reach the owners' systems. A destination that fails is its owner's concern, and no alarm. */
export function sendingAlarms({ sending }: MonitoredResources): RunbookAlarm[] {
  const queues = { events: 'A lead event', messages: 'A message to a destination' } as const;
  return [
    ...(['events', 'messages'] as const).map((of) => ({
      heading: 'SendingBehind',
      of,
      meaning: `${queues[of]} has waited too long in its queue, which forgets after 14 days.`,
      metric: sending.metricQueueAge(of, { period }),
      // Messages that wait for a retry are delayed by up to 15 minutes, and SQS counts that time.
      threshold: Duration.minutes(of === 'events' ? 15 : 35).toSeconds(),
      missingData: MISSING_IS_OK,
    })),
    {
      heading: 'SendingDeadLetters',
      meaning: 'A lead event or message failed twenty times through our fault, and waits for somebody.',
      metric: sending.metricDeadLetters({ period }),
      threshold: 1,
      missingData: MISSING_IS_OK,
    },
    {
      heading: 'DestinationsDisabled',
      meaning: 'A destination was disabled: it answered 410, or failed for five days.',
      metric: sending.metricCount('disabled', { period }),
      threshold: 1,
      missingData: MISSING_IS_OK,
    },
  ];
}

/** Gradual deployments of the owner's functions use this one too. */
export const OWNER_ERRORS = 'OwnerErrors';

/** Whether owners get answers. */
export function ownerAlarms({ settingsApi }: MonitoredResources): RunbookAlarm[] {
  return [
    {
      heading: OWNER_ERRORS,
      meaning: "The owner's API answered with 500 or more.",
      metric: settingsApi.metricServerErrors({ period: Duration.minutes(1) }),
      threshold: 1,
      missingData: MISSING_IS_OK,
    },
  ];
}

export const FUNCTION_ERRORS = 'FunctionErrors';

/** Minutes that DynamoDB has not reported yet count as zero, so the period before is evaluated once more. */
const ONE_OF_TWO_PERIODS = { bad: 1, outOf: 2 };

/** Every function and every table, whatever it serves. */
export function resourceAlarms({ functions, tables }: MonitoredResources): RunbookAlarm[] {
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
      missingData: MISSING_IS_OK,
    })),
    ...functions.map((fn) => ({
      heading: 'FunctionThrottles',
      of: fn.name,
      meaning: `Lambda refused calls of the function ${fn.name}: the account's concurrency is used up.`,
      metric: fn.metricThrottles({ period: minute }),
      threshold: 1,
      missingData: MISSING_IS_OK,
    })),
    ...nouns.map((noun) => ({
      heading: 'TableThrottles',
      of: noun,
      meaning: `DynamoDB put off reads or writes of the table ${noun} or of its indexes.`,
      metric: tables.metricThrottles(noun, fiveMinutes),
      // The SDK retries a few.
      threshold: 10,
      periods: ONE_OF_TWO_PERIODS,
      missingData: MISSING_IS_OK,
    })),
    ...nouns.map((noun) => ({
      heading: 'TableSystemErrors',
      of: noun,
      meaning: `DynamoDB itself failed at calls on the table ${noun}.`,
      metric: tables.metricSystemErrors(noun, fiveMinutes),
      // The SDK retries a few here too.
      threshold: 5,
      periods: ONE_OF_TWO_PERIODS,
      missingData: MISSING_IS_OK,
    })),
  ];
}
