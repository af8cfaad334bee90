import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import type { Aws } from './aws.ts';
import { asking } from './explain-error.ts';

const PERIOD_SECONDS = 300;
const LOOK_BACK_MS = 4 * PERIOD_SECONDS * 1_000;

export interface MetricName {
  readonly namespace: string;
  readonly name: string;
  readonly dimension: { readonly name: string; readonly value: string };
}

/** The newest maximum of each; undefined where CloudWatch has none: nothing happened in the last 20 minutes. */
export async function newestMaximum(
  aws: Aws,
  metrics: readonly MetricName[],
  now: number,
): Promise<(number | undefined)[]> {
  const cloudWatch = new CloudWatchClient(aws.config());
  const call = cloudWatch.send(
    new GetMetricDataCommand({
      StartTime: new Date(now - LOOK_BACK_MS),
      EndTime: new Date(now),
      ScanBy: 'TimestampDescending',
      MetricDataQueries: metrics.map(({ namespace, name, dimension }, index) => ({
        Id: `m${index}`,
        MetricStat: {
          Metric: {
            Namespace: namespace,
            MetricName: name,
            Dimensions: [{ Name: dimension.name, Value: dimension.value }],
          },
          Period: PERIOD_SECONDS,
          Stat: 'Maximum',
        },
      })),
    }),
  );
  const { MetricDataResults = [] } = await asking('cloudwatch:GetMetricData', call).finally(() =>
    cloudWatch.destroy(),
  );
  return metrics.map((_, index) => MetricDataResults.find(({ Id }) => Id === `m${index}`)?.Values?.[0]);
}

export function inWords(seconds: number): string {
  const rounded = Math.round(seconds);
  if (rounded < 120) return `${rounded} ${rounded === 1 ? 'second' : 'seconds'}`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
