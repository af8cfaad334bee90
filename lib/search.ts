import { Duration } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { SEARCH_METRICS, SEARCH_VARIABLES } from '../lambdas/contract.ts';
import { allowQueue, followQueue, makeWorkQueue, RECEIVE } from './event-sources.ts';
import { serviceMetric } from './monitoring/service-metric.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

export interface SearchProps {
  readonly stage: Stage;
  readonly tables: Tables;
  /** Whether each word of a lead gets an entry: a search is then fast however many leads there are. */
  readonly words: boolean;
  /** Shared with the other consumers of lead events. */
  readonly deadLetters: Queue;
}

const TIMEOUT = Duration.seconds(15);

/** Keeps the list of a workspace's leads, and the words by which they are found. The ingest path knows nothing of it. */
export class Search extends Construct {
  /** Where the relay names the leads that have changed. */
  readonly queue: Queue;
  private readonly stage: Stage;
  private readonly words: boolean;

  constructor(scope: Construct, id: string, { stage, tables, words, deadLetters }: SearchProps) {
    super(scope, id);
    this.stage = stage;
    this.words = words;
    this.queue = makeWorkQueue(this, 'Queue', { stage, timeout: TIMEOUT, receives: 20, deadLetters }).queue;
    const index = new ServiceFunction(this, 'IndexLeads', {
      stage,
      folder: 'index-leads',
      description: "Keeps the search index up to date with a workspace's leads",
      timeout: TIMEOUT,
    });
    tables.grant(index, 'leads', ['BatchGetItem']);
    tables.grant(index, 'leadIndex', ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem']);
    this.tellAboutWords(index);
    allowQueue(index, this.queue, RECEIVE);
    followQueue(index, this.queue, { batchSize: 10, maxConcurrency: 2 });
  }

  /** Lets a function search, and remove the entries of a lead that it erases. */
  grantSearch(fn: ServiceFunction, tables: Tables): void {
    tables.grant(fn, 'leadIndex', ['Query', 'GetItem', 'BatchGetItem', 'DeleteItem', 'BatchWriteItem']);
    this.tellAboutWords(fn);
  }

  metricQueueAge(options?: MetricOptions): Metric {
    return this.queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum', ...options });
  }

  metricCount(of: keyof typeof SEARCH_METRICS, options?: MetricOptions): Metric {
    return serviceMetric(this.stage, SEARCH_METRICS[of], {}, { statistic: 'Sum', ...options });
  }

  private tellAboutWords(fn: ServiceFunction): void {
    if (!this.words) fn.setVariable(SEARCH_VARIABLES.words, 'false');
  }
}
