import { Duration } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { INDEXES, QUEUE_VARIABLES, TABLE_VARIABLES } from '../lambdas/contract.ts';
import { allowQueue, followQueue, makeWorkQueue, RECEIVE } from './event-sources.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

export interface LearningProps {
  readonly stage: Stage;
  readonly tables: Tables;
  /** Shared with the other consumers of lead events. */
  readonly deadLetters: Queue;
}

const TIMEOUT = Duration.seconds(30);

/** An owner reviews several leads in a row: what comes in this time is learned from together. */
const DELAY = Duration.seconds(25);

/** What a workspace's verdicts teach the scoring of its later leads. */
export class Learning extends Construct {
  /** Where workspaces are named whose verdicts have changed. */
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { stage, tables, deadLetters }: LearningProps) {
    super(scope, id);
    const given = { stage, timeout: TIMEOUT, receives: 20, deadLetters, delay: DELAY };
    this.queue = makeWorkQueue(this, 'Queue', given).queue;
    const relearn = new ServiceFunction(this, 'Relearn', {
      stage,
      folder: 'relearn',
      description: "Learns from a workspace's verdicts how to score its leads",
      timeout: TIMEOUT,
    });
    tables.grant(relearn, 'workspaces', ['GetItem', 'Scan']);
    // Of Workspaces, only what it has learned: not the gate, and not the list of senders.
    tables.grant(relearn, 'workspaces', ['PutItem', 'DeleteItem'], {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['learned#*'] },
    });
    tables.grant(relearn, 'leads', ['BatchGetItem']);
    tables.grantQueryIndex(relearn, 'leads', INDEXES.leadsByForm);
    relearn.setVariable(TABLE_VARIABLES.forms, tables.tableName('forms'));
    tables.grantQueryIndex(relearn, 'forms', INDEXES.formsByWorkspace);
    allowQueue(relearn, this.queue, RECEIVE);
    this.grantAsk(relearn);
    followQueue(relearn, this.queue, { batchSize: 10, maxConcurrency: 2 });
    new Rule(this, 'Schedule', {
      description: 'Unlearns what was learned from leads that have expired',
      schedule: Schedule.rate(Duration.days(1)),
      targets: [new LambdaFunction(relearn.target)],
    });
  }

  /** Lets a function name a workspace whose verdicts are to be learned from again. */
  grantAsk(fn: ServiceFunction): void {
    allowQueue(fn, this.queue, ['SendMessage']);
    fn.setVariable(QUEUE_VARIABLES.learning, this.queue.queueUrl);
  }

  metricQueueAge(options?: MetricOptions): Metric {
    return this.queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum', ...options });
  }
}
