import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ENRICHMENT_VARIABLES, QUEUE_VARIABLES } from '../lambdas/contract.ts';
import { followStream } from './follow-stream.ts';
import { ServiceFunction } from './service-function.ts';
import type { EnrichmentProvider, Stage } from './stage.ts';
import type { Tables } from './tables.ts';

export interface EnrichmentProps {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly provider: EnrichmentProvider | undefined;
}

const ENRICH_TIMEOUT = Duration.seconds(30);

/** From the stream of leads to the queue, and from the queue back to the lead. */
export class Enrichment extends Construct {
  readonly queueUrl: string;
  readonly deadLetterQueueUrl: string;

  constructor(scope: Construct, id: string, { stage, tables, provider }: EnrichmentProps) {
    super(scope, id);
    const deadLetters = new Queue(this, 'DeadLetters', {
      retentionPeriod: Duration.days(14),
      ...queueDefaults(stage),
    });
    const queue = new Queue(this, 'Queue', {
      // AWS asks for six times the function's timeout: a message must not come back while its batch is worked on.
      visibilityTimeout: Duration.seconds(6 * ENRICH_TIMEOUT.toSeconds()),
      retentionPeriod: Duration.days(14),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
      ...queueDefaults(stage),
    });
    this.queueUrl = queue.queueUrl;
    this.deadLetterQueueUrl = deadLetters.queueUrl;
    this.relayCleanLeads(stage, tables, queue);
    this.enrichLeads(stage, tables, queue, provider);
  }

  private relayCleanLeads(stage: Stage, tables: Tables, queue: Queue): void {
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
  }

  private enrichLeads(
    stage: Stage,
    tables: Tables,
    queue: Queue,
    provider: EnrichmentProvider | undefined,
  ): void {
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
    if (provider) {
      enrich.setVariable(ENRICHMENT_VARIABLES.providerUrl, provider.url);
      enrich.setVariable(ENRICHMENT_VARIABLES.providerSecretArn, provider.secretArn);
      enrich.allow(
        new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [provider.secretArn] }),
      );
    }
    const mapping = new EventSourceMapping(this, 'EnrichQueue', {
      target: enrich.function,
      eventSourceArn: queue.queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      // Bounds what a burst of leads asks of DNS and of the provider.
      maxConcurrency: 10,
    });
    if (enrich.function.role) mapping.node.addDependency(enrich.function.role);
  }
}

function queueDefaults(stage: Stage) {
  return { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, removalPolicy: stage.removalPolicy };
}

function allow(fn: ServiceFunction, queue: Queue, actions: readonly string[]): void {
  fn.allow(
    new PolicyStatement({ actions: actions.map((action) => `sqs:${action}`), resources: [queue.queueArn] }),
  );
}
