import { Duration } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type EventSourceMappingOptions, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';

/**
 * Lets a function follow a table's stream from its beginning and retry forever: an on-failure destination would keep
 * only metadata, so a skipped lead would be lost. An alarm watches the iterator's age.
 */
export function followStream(
  fn: ServiceFunction,
  table: ITableV2,
  options: Omit<EventSourceMappingOptions, 'eventSourceArn'> & { readonly batchSize: number },
): void {
  readStream(fn, table);
  // Lambda needs it to make the mapping. It names streams and reads none.
  fn.allowWithoutResource('dynamodb:ListStreams');
  const mapping = new EventSourceMapping(fn, 'Stream', {
    target: fn.target,
    eventSourceArn: table.tableStreamArn as string,
    startingPosition: StartingPosition.TRIM_HORIZON,
    bisectBatchOnError: true,
    ...options,
  });
  // Lambda checks the permissions at once.
  mapping.node.addDependency(...fn.node.findAll().filter((each) => each instanceof Policy));
  fn.followed.push({ mapping, table, batchSize: options.batchSize });
}

export function readStream(fn: ServiceFunction, table: ITableV2): void {
  fn.allow(
    new PolicyStatement({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [table.tableStreamArn as string],
    }),
  );
}

/**
 * For functions that count each record once, by the sequence number up to which they have counted a shard: a shard has
 * one batch at a time, in order. Only mappings with a tumbling window tell the function which shard it is.
 */
export const ONE_SHARD_AT_A_TIME = {
  parallelizationFactor: 1,
  tumblingWindow: Duration.minutes(15),
  bisectBatchOnError: false,
} as const;

/** How long a message can wait in its queue, and as a dead letter. */
export const QUEUE_RETENTION = Duration.days(14);

export interface WorkQueueProps {
  readonly stage: Stage;
  /** Of the function that works on it. */
  readonly timeout: Duration;
  /** How often a message is received before it becomes a dead letter. */
  readonly receives: number;
  /** Made if not given: queues can share one. */
  readonly deadLetters?: Queue;
  /** How long each message waits before it can be received. */
  readonly delay?: Duration;
}

/** A queue that a function works on, and where its dead letters go. */
export function makeWorkQueue(
  scope: Construct,
  id: string,
  { stage, timeout, receives, delay, deadLetters = makeDeadLetters(scope, stage) }: WorkQueueProps,
): { queue: Queue; deadLetters: Queue } {
  const queue = new Queue(scope, id, {
    // AWS recommends six times the function's timeout: a message must not come back while its batch is worked on.
    visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
    retentionPeriod: QUEUE_RETENTION,
    ...(delay && { deliveryDelay: delay }),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: receives },
    ...queueDefaults(stage),
  });
  return { queue, deadLetters };
}

function makeDeadLetters(scope: Construct, stage: Stage): Queue {
  return new Queue(scope, 'DeadLetters', { retentionPeriod: QUEUE_RETENTION, ...queueDefaults(stage) });
}

function queueDefaults(stage: Stage) {
  return { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, removalPolicy: stage.removalPolicy };
}

/** What the event source mapping of a queue needs. */
export const RECEIVE = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'] as const;

export interface FollowQueueOptions {
  /** Where the mapping is in the tree of constructs, and its id there. */
  readonly scope?: Construct;
  readonly id?: string;
  readonly batchSize: number;
  readonly maxConcurrency: number;
}

/** Lets a function work on a queue. Messages whose handling fails come back, and only those. */
export function followQueue(
  fn: ServiceFunction,
  queue: Queue,
  { scope = fn, id = 'Queue', ...options }: FollowQueueOptions,
): void {
  const mapping = new EventSourceMapping(scope, id, {
    target: fn.target,
    eventSourceArn: queue.queueArn,
    reportBatchItemFailures: true,
    ...options,
  });
  mapping.node.addDependency(fn.role);
  fn.followed.push({ mapping, queue, batchSize: options.batchSize });
}

export function allowQueue(fn: ServiceFunction, queue: Queue, actions: readonly string[]): void {
  fn.allow(
    new PolicyStatement({ actions: actions.map((action) => `sqs:${action}`), resources: [queue.queueArn] }),
  );
}
