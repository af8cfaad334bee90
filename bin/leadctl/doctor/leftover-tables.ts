import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { Aws } from './aws.ts';
import { asking } from './explain-error.ts';
import { type Finding, ok, warn } from './finding.ts';
import { type FoundStack, ofType } from './stack.ts';

/** They keep what a stack of prod has stored when it goes. Nothing collides, but a new stack does not use them. */
export async function leftoverTables(
  aws: Aws,
  stackName: string,
  findStack: () => Promise<FoundStack | undefined>,
): Promise<Finding> {
  const prefix = `${stackName}-`;
  const dynamoDb = new DynamoDBClient(aws.config());
  // Names come in order of their bytes: a list that begins before the prefix needs no further page.
  const call = dynamoDb.send(new ListTablesCommand({ ExclusiveStartTableName: prefix, Limit: 100 }));
  const { TableNames = [] } = await asking('dynamodb:ListTables', call).finally(() => dynamoDb.destroy());
  const stack = await findStack();
  const own = new Set(stack ? ofType(stack, 'AWS::DynamoDB::GlobalTable') : []);
  const left = TableNames.filter((name) => name.startsWith(prefix) && !own.has(name));
  if (left.length === 0) return ok('none of an earlier stack');
  return warn(
    `an earlier ${stackName} left ${left.length === 1 ? 'a table' : `${left.length} tables`}, such as ${left[0]}`,
    'The new stack starts empty beside them: restore from them (docs/back-up-and-restore.md), or delete them (docs/deploy.md, Take it down).',
  );
}
