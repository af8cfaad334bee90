import { Aws, Fn, Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from './stage.ts';

/**
 * Where API Gateway writes one line per request. Groups under /aws/vendedlogs/ need no separate entry in the
 * account's delivery policy, which is full after a few dozen (5,120 characters):
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
 *
 * The name ends with the stack's id, because prod keeps its log groups: a new stack would conflict with them.
 */
export class AccessLogGroup extends LogGroup {
  constructor(scope: Construct, id: string, stage: Stage) {
    const stackId = Fn.select(2, Fn.split('/', Aws.STACK_ID));
    super(scope, id, {
      logGroupName: `/aws/vendedlogs/${Stack.of(scope).stackName}/${scope.node.id}${id}-${stackId}`,
      retention: stage.logRetention,
      removalPolicy: stage.removalPolicy,
    });
  }
}
