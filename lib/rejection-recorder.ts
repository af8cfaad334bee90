import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { STREAM_METRICS } from '../lambdas/contract.ts';
import { followStream, ONE_SHARD_AT_A_TIME } from './event-sources.ts';
import { serviceMetric } from './monitoring/service-metric.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

export interface RejectionRecorderProps {
  readonly stage: Stage;
  readonly tables: Tables;
}

type Senders = 'authenticated' | 'unauthenticated';

/** Derives Diagnostics from the streams of rejections. One function per stream, so that a flood only delays its own. */
export class RejectionRecorder extends Construct {
  private readonly stage: Stage;
  private readonly recorders: Readonly<Record<Senders, ServiceFunction>>;

  constructor(scope: Construct, id: string, { stage, tables }: RejectionRecorderProps) {
    super(scope, id);
    this.stage = stage;
    const follow = (senders: Senders, name: string, functionId: string) => {
      const recorder = new ServiceFunction(this, functionId, {
        stage,
        name,
        folder: 'recorder',
        description: `Counts rejections of ${senders} requests for Diagnostics`,
      });
      tables.grantDeriveDiagnostics(recorder);
      followStream(recorder, tables.rejectionStreams[senders], {
        // The larger the batch, the cheaper each record.
        batchSize: 1_000,
        ...ONE_SHARD_AT_A_TIME,
        // Items that have expired come back as deletions, which have no new image.
        filters: [
          FilterCriteria.filter({ dynamodb: { NewImage: { requestId: { S: FilterRule.exists() } } } }),
        ],
      });
      return recorder;
    };
    this.recorders = {
      authenticated: follow('authenticated', 'recorder', 'Recorder'),
      unauthenticated: follow('unauthenticated', 'recorder-unauthenticated', 'UnauthenticatedRecorder'),
    };
  }

  /** How far Diagnostics lags behind. */
  metricStreamAge(senders: Senders, options?: MetricOptions): Metric {
    return this.recorders[senders].metricIteratorAge(options);
  }

  /** Rejections that were counted, each once. */
  metricRecorded(options?: MetricOptions): Metric {
    return serviceMetric(this.stage, STREAM_METRICS.recorded, {}, { statistic: 'Sum', ...options });
  }
}
