import { Aws, Duration } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ENRICHMENT_VARIABLES, METRICS, QUEUE_VARIABLES, STREAM_METRICS } from '../lambdas/contract.ts';
import { allowQueue, followQueue, followStream, makeWorkQueue, RECEIVE } from './event-sources.ts';
import { serviceMetric } from './monitoring/service-metric.ts';
import { ServiceFunction } from './service-function.ts';
import type { EnrichmentProvider } from './settings.ts';
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
  /** Where lead events are announced to be forwarded. */
  readonly events: Queue;
  /** Where changed leads are named for the search index. */
  readonly index: Queue;
  /** Where workspaces are named whose verdicts have changed. */
  readonly learning: Queue;
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

/** From the stream of leads to the queue, and from the queue back to the lead. */
export class Enrichment extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly concurrency: number;
  private readonly stage: Stage;
  private readonly relay: ServiceFunction;
  private readonly enrich: ServiceFunction;

  constructor(scope: Construct, id: string, props: EnrichmentProps) {
    super(scope, id);
    const { stage, tables, provider, concurrency } = props;
    this.stage = stage;
    this.concurrency = concurrency;
    const made = makeWorkQueue(this, 'Queue', { stage, timeout: ENRICH_TIMEOUT, receives: 5 });
    this.queue = made.queue;
    this.deadLetters = made.deadLetters;
    this.relay = this.relayEvents(props);
    this.enrich = this.enrichLeads(stage, tables, this.queue, provider);
  }

  /** The function whose lag tells how far the search index is behind the leads. */
  get relayName(): string {
    return this.relay.functionName;
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

  private relayEvents({ stage, tables, events, index, learning }: EnrichmentProps): ServiceFunction {
    const relay = new ServiceFunction(this, 'Relay', {
      stage,
      folder: 'relay',
      description: 'Announces what happens to leads, on one queue per consumer',
    });
    for (const [consumer, queue] of [
      ['enrichment', this.queue],
      ['dispatch', events],
      ['index', index],
      ['learning', learning],
    ] as const) {
      allowQueue(relay, queue, ['SendMessage']);
      relay.setVariable(QUEUE_VARIABLES[consumer], queue.queueUrl);
    }
    followStream(relay, tables.leadStream, {
      batchSize: 100,
      reportBatchItemFailures: true,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { NewImage: { part: { S: FilterRule.or('lead', 'erased') } } },
        }),
        // A lead that was opened or handled.
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('MODIFY'),
          dynamodb: {
            NewImage: {
              part: { S: FilterRule.isEqual('lead') },
              opened: { M: { at: { S: FilterRule.exists() } } },
            },
          },
        }),
        // A verdict may take the place of another, and an enrichment of a failed one.
        FilterCriteria.filter({
          eventName: FilterRule.or('INSERT', 'MODIFY'),
          dynamodb: { NewImage: { part: { S: FilterRule.or('review', 'enrichment') } } },
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
    allowQueue(enrich, queue, [...RECEIVE, 'ChangeMessageVisibility']);
    enrich.setVariable(QUEUE_VARIABLES.enrichment, queue.queueUrl);
    if (provider) connectProvider(enrich, provider);
    followQueue(enrich, queue, {
      scope: this,
      id: 'EnrichQueue',
      batchSize: 10,
      maxConcurrency: this.concurrency,
    });
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
