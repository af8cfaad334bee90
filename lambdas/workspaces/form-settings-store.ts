import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { INDEXES } from '../contract.ts';
import type { Form } from '../model/configuration.ts';

/** What a form says about the leads that it takes. Archived forms are among them: their leads stay. */
export type FormSettings = Pick<Form, 'formId' | 'fields' | 'browser'>;

/** From an index, like every list of forms. */
export async function listFormSettings(
  { client, tables }: StoreContext<'forms'>,
  workspaceId: string,
): Promise<FormSettings[]> {
  const found: FormSettings[] = [];
  const query = {
    TableName: tables.forms,
    IndexName: INDEXES.formsByWorkspace,
    KeyConditionExpression: 'workspaceId = :workspaceId',
    ProjectionExpression: 'formId, #fields, browser',
    ExpressionAttributeNames: { '#fields': 'fields' },
    ExpressionAttributeValues: { ':workspaceId': workspaceId },
  };
  for await (const { Items = [] } of paginateQuery({ client }, query)) {
    found.push(...(Items as FormSettings[]));
  }
  return found;
}
