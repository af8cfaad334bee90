import { Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { IN_TURN_PARTITION, IN_TURN_VARIABLE, type InTurnSource } from '../lambdas/contract.ts';
import { allowQueue, RECEIVE, readStream } from './event-sources.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

export interface InTurnProps {
  readonly stage: Stage;
  readonly tables: Tables;
  /** Those that follow queues and streams. */
  readonly functions: readonly ServiceFunction[];
}

/** Below the interval, so that two turns do not overlap. */
const TIMEOUT = Duration.seconds(59);

/**
 * For an account with so little concurrency that the mappings could take all of it. They stay, but are off: a mapping
 * takes at least two functions from a queue, and one for each shard of a stream. One function works through all of it
 * instead, once a minute.
 */
export class InTurn extends Construct {
  constructor(scope: Construct, id: string, { stage, tables, functions }: InTurnProps) {
    super(scope, id);
    const work = new ServiceFunction(this, 'Work', {
      stage,
      folder: 'work-in-turn',
      description: 'Lets the functions of queues and streams work in turn',
      timeout: TIMEOUT,
    });
    const followers = functions.filter(({ followed }) => followed.length > 0);
    for (const { mapping, queue, table } of followers.flatMap(({ followed }) => followed)) {
      (mapping.node.defaultChild as CfnEventSourceMapping).enabled = false;
      if (queue) allowQueue(work, queue, RECEIVE);
      if (table) readStream(work, table);
    }
    work.allow(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: followers.map(({ target }) => target.functionArn),
      }),
    );
    // How far it has read the streams.
    tables.grant(work, 'stats', ['GetItem', 'PutItem'], {
      'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [IN_TURN_PARTITION] },
    });
    work.setVariable(IN_TURN_VARIABLE, Stack.of(this).toJsonString(followers.flatMap(sourcesOf)));
    // A turn that has failed is not repeated: it would run beside the next one.
    work.target.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new Rule(this, 'Schedule', {
      description: 'Lets the functions of queues and streams work in turn',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(work.target)],
    });
  }
}

function sourcesOf(fn: ServiceFunction): InTurnSource[] {
  return fn.followed.map(({ queue, table, batchSize }) => ({
    fn: fn.target.functionName,
    batch: batchSize,
    seconds: fn.timeout.toSeconds(),
    ...(queue && { queue: queue.queueUrl }),
    ...(table && { stream: table.tableStreamArn as string }),
  }));
}
