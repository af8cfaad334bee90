import { Aws, Fn, Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from './stage.ts';

/**
 * Where API Gateway writes one line for each request. Groups under /aws/vendedlogs/ need no entry of their own in the
 * account's delivery policy, which is full after a few dozen (5,120 characters):
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
 *
 * The name ends with the stack's id, since prod leaves its log groups behind: a stack that is made again would meet them.
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
