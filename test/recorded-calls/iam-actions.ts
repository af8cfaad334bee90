import type { TableNames } from '#aws/dynamodb.ts';
import type { RecordedCalls } from '#local/fixture/recorded-calls.ts';

/** A call as IAM sees it: one action on one resource. */
export interface RecordedCall {
  readonly action: string;
  readonly resource: string;
}

/** ARNs by the name in a request: of a table, a queue (URL or ARN) or a user pool. */
export interface ArnOf {
  (name: string): string;
  /** The queues whose dead letters go to this one. */
  sourcesOf(deadLettersArn: string): string[];
}

type Body = Readonly<Record<string, unknown>>;

/**
 * The permissions that a request needs: batches need their own action on each table, transactions the actions of their
 * parts, and SQS's batches the action that they repeat.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
export function iamCalls(target: string, body: Body, arnOf: ArnOf): RecordedCall[] {
  const [service = '', operation = ''] = target.split('.');
  if (service.startsWith('DynamoDB_')) return dynamoDbCalls(operation, body, arnOf);
  if (service === 'AmazonSQS') return queueCalls(operation, body, arnOf);
  if (service === 'AWSCognitoIdentityProviderService') {
    return [{ action: `cognito-idp:${operation}`, resource: arnOf(String(body.UserPoolId)) }];
  }
  throw new Error(`the permissions of ${target} are unknown`);
}

function dynamoDbCalls(operation: string, body: Body, arnOf: ArnOf): RecordedCall[] {
  if (operation === 'TransactWriteItems') {
    return (body.TransactItems as Record<string, { TableName: string }>[]).flatMap((part) =>
      Object.entries(part).map(([kind, { TableName }]) => ({
        action: `dynamodb:${kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`}`,
        resource: arnOf(TableName),
      })),
    );
  }
  const action = `dynamodb:${operation}`;
  if (body.RequestItems) {
    return Object.keys(body.RequestItems).map((table) => ({ action, resource: arnOf(table) }));
  }
  const index = body.IndexName === undefined ? '' : `/index/${body.IndexName}`;
  return [{ action, resource: `${arnOf(String(body.TableName))}${index}` }];
}

/** A move reads and deletes on behalf of the caller, and sends to the target queue. */
const OF_A_MOVE = ['StartMessageMoveTask', 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];

function queueCalls(operation: string, body: Body, arnOf: ArnOf): RecordedCall[] {
  const resource = arnOf(String(body.QueueUrl ?? body.SourceArn));
  if (operation !== 'StartMessageMoveTask') {
    return [{ action: `sqs:${operation.replace(/Batch$/, '')}`, resource }];
  }
  return [
    ...OF_A_MOVE.map((each) => ({ action: `sqs:${each}`, resource })),
    // Without a destination, each message returns to the queue it came from.
    ...(body.DestinationArn === undefined
      ? arnOf.sourcesOf(resource)
      : [arnOf(String(body.DestinationArn))]
    ).map((queue) => ({ action: 'sqs:SendMessage', resource: queue })),
  ];
}

/** Collects the actions of a client on each table, as IAM names them: `forms/byWorkspace Query`. */
export function recordTableActions(calls: RecordedCalls, tables: TableNames): ReadonlySet<string> {
  const actions = new Set<string>();
  const tableKeys = new Map(Object.entries(tables).map(([tableKey, name]) => [name, tableKey]));
  const arnOf = Object.assign((name: string) => tableKeys.get(name) ?? name, { sourcesOf: () => [] });
  calls.injectBefore((command, input) => {
    for (const { action, resource } of iamCalls(`DynamoDB_.${command}`, Object(input), arnOf)) {
      actions.add(`${resource.replace('/index', '')} ${action.replace('dynamodb:', '')}`);
    }
    return undefined;
  });
  return actions;
}
