import { Validations } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type EventSourceMappingOptions, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { ServiceFunction } from './service-function.ts';

/**
 * Lets a function follow a table's stream from its beginning and retry forever: an on-failure destination would keep
 * only metadata, so a skipped lead would be lost. An alarm watches the iterator's age.
 */
export function followStream(
  fn: ServiceFunction,
  table: ITableV2,
  options: Omit<EventSourceMappingOptions, 'eventSourceArn'>,
): void {
  fn.allow(
    new PolicyStatement({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [table.tableStreamArn as string],
    }),
  );
  allowListStreams(fn);
  const mapping = new EventSourceMapping(fn, 'Stream', {
    target: fn.target,
    eventSourceArn: table.tableStreamArn as string,
    startingPosition: StartingPosition.TRIM_HORIZON,
    bisectBatchOnError: true,
    ...options,
  });
  // Lambda checks the permissions at once.
  mapping.node.addDependency(...fn.node.findAll().filter((each) => each instanceof Policy));
}

/** In a separate policy, so that its wildcard excuses no other statement. */
function allowListStreams(fn: ServiceFunction): void {
  const policy = new Policy(fn, 'ListStreams', {
    statements: [new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] })],
  });
  policy.attachToRole(fn.role);
  Validations.of(policy).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'Lambda needs it to make the mapping. It names streams and reads none; IAM takes no resource for it.',
  });
}
