import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { STREAM_METRICS } from '../lambdas/contract.ts';
import { followStream, ONE_SHARD_AT_A_TIME } from './event-sources.ts';
import { serviceMetric } from './monitoring/service-metric.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

export interface LeadStatsProps {
  readonly stage: Stage;
  readonly tables: Tables;
}

/** Counts accepted leads by hour, form and score band for the overview, from the stream and never in a request. */
export class LeadStats extends Construct {
  private readonly stage: Stage;
  private readonly stats: ServiceFunction;

  constructor(scope: Construct, id: string, { stage, tables }: LeadStatsProps) {
    super(scope, id);
    this.stage = stage;
    this.stats = new ServiceFunction(this, 'Stats', {
      stage,
      folder: 'stats',
      description: 'Counts accepted leads by hour, form and score band',
    });
    tables.grantCountLeads(this.stats);
    followStream(this.stats, tables.leadStream, {
      batchSize: 100,
      ...ONE_SHARD_AT_A_TIME,
      // Every enrichment would be one more record, and nearly every batch of them an invocation for nothing.
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { NewImage: { part: { S: FilterRule.isEqual('lead') } } },
        }),
      ],
    });
  }

  /** How far counting lags behind the stream of leads. */
  metricStreamAge(options?: MetricOptions): Metric {
    return this.stats.metricIteratorAge(options);
  }

  /** Leads read for counting, including repeated deliveries. */
  metricCounted(options?: MetricOptions): Metric {
    return serviceMetric(this.stage, STREAM_METRICS.counted, {}, { statistic: 'Sum', ...options });
  }
}
