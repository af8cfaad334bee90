import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { ALL_SURFACES } from '../../lambdas/contract.ts';
import type { IngestApi } from '../ingest-api.ts';
import { SENDING_QUEUES } from '../sending.ts';
import {
  MISSING_IS_BAD,
  MISSING_IS_OK,
  type MonitoredResources,
  type RunbookAlarm,
} from './runbook-alarm.ts';
import { sumOf } from './service-metric.ts';

const period = Duration.minutes(5);

/** Everything after the 202. These go off early, while nothing is lost yet. */
export function backgroundAlarms({
  recorder,
  enrichment,
  search,
  leadStats,
}: MonitoredResources): RunbookAlarm[] {
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
      // While it is behind, it is called again and again. A quiet stream has no data: then the alarm ends after an hour.
      periods: { bad: 1, outOf: 12 },
      missingData: MISSING_IS_OK,
    })),
    {
      heading: 'EnrichmentBehind',
      meaning: 'A clean lead has waited for an hour to be enriched. The queue forgets after 14 days.',
      metric: enrichment.metricQueueAge({ period }),
      // A message that keeps failing becomes a dead letter after a few minutes, long before this.
      threshold: Duration.hours(1).toSeconds(),
      // SQS reports nothing about a queue that was unused for hours. It is empty.
      missingData: MISSING_IS_OK,
    },
    {
      heading: 'SearchBehind',
      meaning: 'A lead has waited for a quarter of an hour to be listed and found by owners.',
      metric: search.metricQueueAge({ period }),
      threshold: Duration.minutes(15).toSeconds(),
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
  const queues = {
    events: 'A lead event',
    messages: 'A message to a destination',
    'slow messages': 'A message to a slow destination',
  };
  return [
    ...SENDING_QUEUES.map((of) => ({
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

/** Whether owners are told what is wrong. */
export function watchAlarms({ alerts }: MonitoredResources): RunbookAlarm[] {
  return [
    {
      heading: 'WatchFailures',
      meaning: 'The watch failed repeatedly for a workspace, whose owner may not be told what is wrong.',
      metric: alerts.metricCount('failed', { period }),
      threshold: 1,
      // The next run looks at the workspace again.
      periods: { bad: 2, outOf: 3 },
      missingData: MISSING_IS_OK,
    },
    {
      heading: 'WatchNotRunning',
      meaning: 'The watch did not run for a quarter of an hour: no owner is told what is wrong.',
      metric: alerts.metricCount('watched', { statistic: 'SampleCount', period: Duration.minutes(15) }),
      threshold: 1,
      below: true,
      missingData: MISSING_IS_BAD,
    },
  ];
}

/** Gradual deployments of the owner's functions use this one too. */
export const OWNER_ERRORS = 'OwnerErrors';

/** Whether owners get responses. */
export function ownerAlarms({ settingsApi }: MonitoredResources): RunbookAlarm[] {
  return [
    {
      heading: OWNER_ERRORS,
      meaning: "The owner's API answered with 500 or more.",
      metric: settingsApi.metricServerErrors({ period: Duration.minutes(1) }),
      threshold: 1,
      missingData: MISSING_IS_OK,
    },
    {
      heading: 'ActivityLost',
      meaning: 'An owner changed something, and the activity log does not show it.',
      metric: settingsApi.metricActivityLost({ period }),
      threshold: 1,
      missingData: MISSING_IS_OK,
    },
  ];
}

/** A submission failed with an internal error. Gradual deployments use this one too. */
export const INTERNAL_ERRORS = 'IngestInternalErrors';

/** Below this, a single sender with a wrong secret would look like a spike. */
const MIN_FOR_A_SPIKE = 100;

/** Whether leads are accepted. */
export function submissionAlarms({ ingestApi }: MonitoredResources): RunbookAlarm[] {
  const minute = Duration.minutes(1);
  const blocked = ingestApi.metricBlocked({ period });
  return [
    {
      heading: INTERNAL_ERRORS,
      meaning: 'A submission was rejected through no fault of its sender.',
      metric: sumOf(
        ALL_SURFACES.map((surface) =>
          ingestApi.metricRejectedFor('internal_error', surface, { period: minute }),
        ),
        'internal_error',
        minute,
      ),
      threshold: 1,
      missingData: MISSING_IS_OK,
    },
    {
      heading: 'GatewayAnswers',
      meaning: 'API Gateway answered submissions in the place of a function: no owner can see why.',
      metric: ingestApi.metricGatewayResponses({ period }),
      threshold: 5,
      missingData: MISSING_IS_OK,
    },
    ...ALL_SURFACES.map((surface) => ({
      heading: 'IngestSlow',
      of: surface,
      meaning: `One submission in a hundred on Surface ${surface} takes more than half of the 5 seconds that are promised.`,
      metric: ingestApi.metricLatency(surface, { period: minute }),
      threshold: 2_500,
      periods: { bad: 3, outOf: 5 },
      missingData: MISSING_IS_OK,
    })),
    {
      heading: 'RejectionSpike',
      meaning: 'For a quarter of an hour more submissions were rejected than accepted.',
      metric: rejectedPercent(ingestApi),
      threshold: 50,
      periods: { bad: 3, outOf: 3 },
      missingData: MISSING_IS_OK,
    },
    {
      heading: 'DiagnosticsDropped',
      meaning: 'Reasons of rejections were not recorded: owners see too few of them.',
      metric: sumOf(
        ALL_SURFACES.map((surface) => ingestApi.metricDiagnosticsDropped(surface, { period })),
        'not recorded',
        period,
      ),
      threshold: 10,
      missingData: MISSING_IS_OK,
    },
    ...(blocked
      ? [
          {
            heading: 'WebAclBlocks',
            meaning: 'The web ACL blocked floods or bodies of several megabytes: no function has seen them.',
            metric: blocked,
            threshold: 10,
            missingData: MISSING_IS_OK,
          },
        ]
      : []),
  ];
}

/** The share of rejected submissions. A replay is neither: it says nothing about a new lead. */
function rejectedPercent(ingestApi: IngestApi): MathExpression {
  const outcomes = ['accepted', 'rejected'] as const;
  // One lead at a provider with a wrong secret is rejected hundreds of times.
  const surfaces = ALL_SURFACES.filter((surface) => surface !== '1c');
  const metrics = outcomes.flatMap((outcome) =>
    surfaces.map(
      (surface) => [`${outcome}_${surface}`, ingestApi.metricOutcome(outcome, surface, { period })] as const,
    ),
  );
  const sum = (ids: readonly string[]) => `(${ids.join(' + ')})`;
  const ids = metrics.map(([id]) => id);
  const rejected = sum(ids.filter((id) => id.startsWith('rejected')));
  return new MathExpression({
    expression: `IF(${sum(ids)} >= ${MIN_FOR_A_SPIKE}, 100 * ${rejected} / ${sum(ids)}, 0)`,
    usingMetrics: Object.fromEntries(metrics),
    label: 'rejected, %',
    period,
  });
}
