import { Duration } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ALERT_METRICS, INDEXES, QUEUE_VARIABLES, TABLE_VARIABLES } from '../lambdas/contract.ts';
import { allowQueue } from './event-sources.ts';
import { serviceMetric } from './monitoring/service-metric.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

export interface AlertsProps {
  readonly stage: Stage;
  readonly tables: Tables;
  /** Where dispatch takes events from. */
  readonly events: Queue;
}

/** Below the interval, so that two runs do not overlap. */
const TIMEOUT = Duration.minutes(4);

/** Tells owners when a sender breaks, a form falls silent or a destination fails. It reads no leads. */
export class Alerts extends Construct {
  private readonly stage: Stage;

  constructor(scope: Construct, id: string, { stage, tables, events }: AlertsProps) {
    super(scope, id);
    this.stage = stage;
    const watch = new ServiceFunction(this, 'Watch', {
      stage,
      folder: 'watch',
      description: 'Looks every five minutes for what owners should know about',
      timeout: TIMEOUT,
    });
    tables.grant(watch, 'alerts', ['Query', 'PutItem', 'UpdateItem']);
    tables.grant(watch, 'stats', ['Query', 'PutItem']);
    tables.grant(watch, 'diagnostics', ['Query']);
    tables.grant(watch, 'workspaces', ['GetItem']);
    tables.grant(watch, 'destinations', ['Query']);
    tables.grant(watch, 'messages', ['BatchGetItem']);
    for (const [tableKey, index] of [
      ['forms', INDEXES.formsByWorkspace],
      ['tokens', INDEXES.tokensByWorkspace],
    ] as const) {
      watch.setVariable(TABLE_VARIABLES[tableKey], tables.tableName(tableKey));
      tables.grantQueryIndex(watch, tableKey, index);
    }
    allowQueue(watch, events, ['SendMessage']);
    watch.setVariable(QUEUE_VARIABLES.dispatch, events.queueUrl);
    new Rule(this, 'Schedule', {
      description: 'Looks for what owners should know about',
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new LambdaFunction(watch.target)],
    });
  }

  metricCount(of: keyof typeof ALERT_METRICS, options?: MetricOptions): Metric {
    return serviceMetric(this.stage, ALERT_METRICS[of], {}, { statistic: 'Sum', ...options });
  }
}
