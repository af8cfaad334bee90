import { Aws, Duration } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ENRICHMENT_VARIABLES, METRICS, QUEUE_VARIABLES, STREAM_METRICS } from '../lambdas/contract.ts';
import type { EnrichmentProvider } from './context.ts';
import { followStream } from './follow-stream.ts';
import { serviceMetric } from './monitoring/service-metric.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

export interface EnrichmentProps {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly provider: EnrichmentProvider | undefined;
  /**
   * Limits the concurrency that a burst of leads takes from the ingest functions, and the load on DNS and the provider.
   */
  readonly concurrency: number;
}

/** The outcomes of a message, and of a lead that the relay reads from the stream. */
const COUNTED = {
  relayed: STREAM_METRICS.relayed,
  refused: STREAM_METRICS.refused,
  enriched: METRICS.enriched,
  retried: METRICS.enrichmentRetried,
  failed: METRICS.enrichmentFailed,
} as const;

const ENRICH_TIMEOUT = Duration.seconds(30);

/** How long a lead can wait in the queue, and its dead letter for an operator. */
export const QUEUE_RETENTION = Duration.days(14);

/** From the stream of leads to the queue, and from the queue back to the lead. */
export class Enrichment extends Construct {
  readonly queueUrl: string;
  readonly deadLetterQueueUrl: string;
  readonly concurrency: number;
  private readonly stage: Stage;
  private readonly queue: Queue;
  private readonly deadLetters: Queue;
  private readonly relay: ServiceFunction;
  private readonly enrich: ServiceFunction;

  constructor(scope: Construct, id: string, { stage, tables, provider, concurrency }: EnrichmentProps) {
    super(scope, id);
    this.stage = stage;
    this.concurrency = concurrency;
    this.deadLetters = new Queue(this, 'DeadLetters', {
      retentionPeriod: QUEUE_RETENTION,
      ...queueDefaults(stage),
    });
    this.queue = new Queue(this, 'Queue', {
      // AWS recommends six times the function's timeout: a message must not reappear while its batch is processed.
      visibilityTimeout: Duration.seconds(6 * ENRICH_TIMEOUT.toSeconds()),
      retentionPeriod: QUEUE_RETENTION,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 5 },
      ...queueDefaults(stage),
    });
    this.queueUrl = this.queue.queueUrl;
    this.deadLetterQueueUrl = this.deadLetters.queueUrl;
    this.relay = this.relayCleanLeads(stage, tables, this.queue);
    this.enrich = this.enrichLeads(stage, tables, this.queue, provider);
  }

  get queueArn(): string {
    return this.queue.queueArn;
  }

  get deadLetterQueueArn(): string {
    return this.deadLetters.queueArn;
  }

  /** How far the relay lags behind the stream of leads. */
  metricStreamAge(options?: MetricOptions): Metric {
    return this.relay.metricIteratorAge(options);
  }

  /** How long the oldest clean lead has been waiting to be enriched. */
  metricQueueAge(options?: MetricOptions): Metric {
    return this.queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum', ...options });
  }

  metricWaiting(options?: MetricOptions): Metric {
    return this.queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', ...options });
  }

  metricDeadLetters(options?: MetricOptions): Metric {
    return this.deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', ...options });
  }

  /** Concurrent invocations of the enrichment function: never more than `concurrency`. */
  metricConcurrency(options?: MetricOptions): Metric {
    return this.enrich.metricConcurrency(options);
  }

  metricCount(of: keyof typeof COUNTED, options?: MetricOptions): Metric {
    return serviceMetric(this.stage, COUNTED[of], {}, { statistic: 'Sum', ...options });
  }

  private relayCleanLeads(stage: Stage, tables: Tables, queue: Queue): ServiceFunction {
    const relay = new ServiceFunction(this, 'Relay', {
      stage,
      folder: 'relay',
      description: 'Puts the ids of new clean leads on the enrichment queue',
    });
    allow(relay, queue, ['SendMessage']);
    relay.setVariable(QUEUE_VARIABLES.enrichment, queue.queueUrl);
    followStream(relay, tables.leadStream, {
      batchSize: 100,
      reportBatchItemFailures: true,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { NewImage: { part: { S: FilterRule.isEqual('lead') }, clean: { BOOL: [true] } } },
        }),
      ],
    });
    return relay;
  }

  private enrichLeads(
    stage: Stage,
    tables: Tables,
    queue: Queue,
    provider: EnrichmentProvider | undefined,
  ): ServiceFunction {
    const enrich = new ServiceFunction(this, 'Enrich', {
      stage,
      folder: 'enrich',
      description: 'Adds what can be found out about a clean lead',
      timeout: ENRICH_TIMEOUT,
    });
    tables.grantEnrichLeads(enrich);
    allow(enrich, queue, [
      'ReceiveMessage',
      'DeleteMessage',
      'ChangeMessageVisibility',
      'GetQueueAttributes',
    ]);
    enrich.setVariable(QUEUE_VARIABLES.enrichment, queue.queueUrl);
    if (provider) connectProvider(enrich, provider);
    const mapping = new EventSourceMapping(this, 'EnrichQueue', {
      target: enrich.target,
      eventSourceArn: queue.queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      maxConcurrency: this.concurrency,
    });
    mapping.node.addDependency(enrich.role);
    return enrich;
  }
}

function connectProvider(enrich: ServiceFunction, { url, secretArn, keyArn }: EnrichmentProvider): void {
  enrich.setVariable(ENRICHMENT_VARIABLES.providerUrl, url);
  enrich.setVariable(ENRICHMENT_VARIABLES.providerSecretArn, secretArn);
  enrich.allow(new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] }));
  if (keyArn === undefined) return;
  enrich.allow(
    new PolicyStatement({
      actions: ['kms:Decrypt'],
      resources: [keyArn],
      // Only for this secret, not for anything else encrypted with that key.
      conditions: {
        StringEquals: {
          'kms:ViaService': `secretsmanager.${Aws.REGION}.amazonaws.com`,
          'kms:EncryptionContext:SecretARN': secretArn,
        },
      },
    }),
  );
}

function queueDefaults(stage: Stage) {
  return { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, removalPolicy: stage.removalPolicy };
}

function allow(fn: ServiceFunction, queue: Queue, actions: readonly string[]): void {
  fn.allow(
    new PolicyStatement({ actions: actions.map((action) => `sqs:${action}`), resources: [queue.queueArn] }),
  );
}
