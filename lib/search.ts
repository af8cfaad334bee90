import { Duration } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { QUEUE_VARIABLES, SEARCH_METRICS } from '../lambdas/contract.ts';
import { allowQueue, followQueue, makeWorkQueue, RECEIVE } from './event-sources.ts';
import { serviceMetric } from './monitoring/service-metric.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

export interface SearchProps {
  readonly stage: Stage;
  readonly tables: Tables;
  /** Shared with the other consumers of lead events. */
  readonly deadLetters: Queue;
  /** How many functions may index at the same time, ten leads each. */
  readonly concurrency: number;
}

const TIMEOUT = Duration.seconds(15);
/** Entries of people are deleted in batches. */
const REMOVE = ['BatchGetItem', 'PutItem', 'BatchWriteItem'];

/** Keeps the list of a workspace's leads, and whose they are. The ingest path knows nothing of it. */
export class Search extends Construct {
  /** Where the relay names the leads that have changed. */
  readonly queue: Queue;
  private readonly stage: Stage;
  private readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { stage, tables, deadLetters, concurrency }: SearchProps) {
    super(scope, id);
    this.stage = stage;
    this.deadLetters = deadLetters;
    this.queue = makeWorkQueue(this, 'Queue', { stage, timeout: TIMEOUT, receives: 20, deadLetters }).queue;
    const index = new ServiceFunction(this, 'IndexLeads', {
      stage,
      folder: 'index-leads',
      description: "Keeps the search index up to date with a workspace's leads",
      timeout: TIMEOUT,
    });
    tables.grant(index, 'leads', ['BatchGetItem', 'GetItem']);
    tables.grantSeeRemoved(index);
    tables.grant(index, 'leadIndex', ['UpdateItem', 'DeleteItem', ...REMOVE]);
    allowQueue(index, this.queue, RECEIVE);
    followQueue(index, this.queue, { batchSize: 10, maxConcurrency: concurrency });
  }

  /** Lets a function search, remove the entries of a lead that it erases, and know whether leads wait to be indexed. */
  grantSearch(fn: ServiceFunction, tables: Tables): void {
    tables.grant(fn, 'leadIndex', ['Query', ...REMOVE]);
    for (const [name, queue] of [
      ['index', this.queue],
      ['indexDeadLetters', this.deadLetters],
    ] as const) {
      allowQueue(fn, queue, ['GetQueueAttributes']);
      fn.setVariable(QUEUE_VARIABLES[name], queue.queueUrl);
    }
    fn.allow(
      new PolicyStatement({ actions: ['cloudwatch:GetMetricStatistics'], resources: ['*'] }),
      'Reads how far the index lags. IAM takes no resource for metrics.',
    );
  }

  metricQueueAge(options?: MetricOptions): Metric {
    return this.queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum', ...options });
  }

  metricCount(of: keyof typeof SEARCH_METRICS, options?: MetricOptions): Metric {
    return serviceMetric(this.stage, SEARCH_METRICS[of], {}, { statistic: 'Sum', ...options });
  }
}
