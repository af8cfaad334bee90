import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { SURFACES } from '../../lambdas/contract.ts';
import type { IngestApi } from '../ingest-api.ts';
import { MISSING_IS_OK, type MonitoredResources, type RunbookAlarm } from './runbook-alarm.ts';
import { sumOf } from './service-metric.ts';

const period = Duration.minutes(5);

/** A submission that failed through our fault. Gradual deployments use this one too. */
export const INTERNAL_ERRORS = 'IngestInternalErrors';

/** Below that, one sender with a wrong secret would be a spike. */
const FEWEST_FOR_A_SPIKE = 100;

/** Whether leads get in. */
export function submissionAlarms({ ingestApi }: MonitoredResources): RunbookAlarm[] {
  const minute = Duration.minutes(1);
  const blocked = ingestApi.metricBlocked({ period });
  return [
    {
      heading: INTERNAL_ERRORS,
      meaning: 'A submission was rejected through no fault of its sender.',
      metric: sumOf(
        SURFACES.map((surface) => ingestApi.metricRejectedFor('internal_error', surface, { period: minute })),
        'internal_error',
        minute,
      ),
      threshold: 1,
      missingData: MISSING_IS_OK,
    },
    {
      heading: 'GatewayAnswers',
      meaning: 'API Gateway answered submissions in the place of a function: no owner can see why.',
      metric: ingestApi.metricGatewayAnswers({ period }),
      threshold: 5,
      missingData: MISSING_IS_OK,
    },
    ...SURFACES.map((surface) => ({
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
        SURFACES.map((surface) => ingestApi.metricDiagnosticsDropped(surface, { period })),
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

/** Of all submissions, those that were rejected; nothing while there are too few to tell. */
function rejectedPercent(ingestApi: IngestApi): MathExpression {
  const outcomes = ['accepted', 'replayed', 'rejected'] as const;
  const metrics = outcomes.flatMap((outcome) =>
    SURFACES.map(
      (surface) => [`${outcome}_${surface}`, ingestApi.metricOutcome(outcome, surface, { period })] as const,
    ),
  );
  const sum = (ids: readonly string[]) => `(${ids.join(' + ')})`;
  const ids = metrics.map(([id]) => id);
  const rejected = sum(ids.filter((id) => id.startsWith('rejected')));
  return new MathExpression({
    expression: `IF(${sum(ids)} >= ${FEWEST_FOR_A_SPIKE}, 100 * ${rejected} / ${sum(ids)}, 0)`,
    usingMetrics: Object.fromEntries(metrics),
    label: 'rejected, %',
    period,
  });
}
