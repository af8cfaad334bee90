import { marshall } from '@aws-sdk/util-dynamodb';
import type { TableKey } from '#contract';
import type { ExecutedCall } from './dynamodb-double.ts';

type Members = Readonly<Record<string, unknown>>;

/** As it goes over the wire, to DynamoDB Local or to the double. */
export type Call = Pick<ExecutedCall, 'operation' | 'input'>;

/** Plain values as DynamoDB's. */
function marshalled(members: Members): Members {
  const { Item, Key, ExpressionAttributeValues, ...others } = members;
  const values = Object.entries({ Item, Key, ExpressionAttributeValues }).filter(([, value]) => value);
  return { ...others, ...Object.fromEntries(values.map(([name, value]) => [name, marshall(value)])) };
}

const on =
  (operation: string) =>
  (TableName: TableKey, members: Members): Call => ({
    operation,
    input: { TableName, ...marshalled(members) },
  });

export const put = on('PutItem');
export const update = on('UpdateItem');
export const remove = on('DeleteItem');
export const get = on('GetItem');
const query = on('Query');
const scan = on('Scan');

export function transact(
  items: readonly (readonly [action: string, table: TableKey, members: Members])[],
  ClientRequestToken?: string,
): Call {
  const TransactItems = items.map(([action, TableName, members]) => ({
    [action]: { TableName, ...marshalled(members) },
  }));
  return {
    operation: 'TransactWriteItems',
    input: { TransactItems, ...(ClientRequestToken && { ClientRequestToken }) },
  };
}

const batchWrite = (RequestItems: Partial<Record<TableKey, readonly Members[]>>): Call => ({
  operation: 'BatchWriteItem',
  input: { RequestItems },
});

const workspaceId = 'ws';
const workspace = { workspaceId, name: 'W', status: 'active', configVersion: 3, v: 1 };
const see = get('workspaces', { Key: { workspaceId }, ConsistentRead: true });
const changing = (UpdateExpression: string, value?: unknown) =>
  update('workspaces', {
    Key: { workspaceId },
    UpdateExpression,
    ...(value !== undefined && { ExpressionAttributeValues: { ':x': value } }),
  });
const once = (name: string, clientRequestToken: string) =>
  transact([['Put', 'workspaces', { Item: { ...workspace, name } }]], clientRequestToken);
const putEvent = (sk: string, requestId = 'r') => ({
  PutRequest: marshalled({ Item: { workspaceId, sk, requestId } }),
});
const deleteEvent = (sk: string) => ({ DeleteRequest: marshalled({ Key: { workspaceId, sk } }) });
const many = (count: number) => Array.from({ length: count }, (_, at) => putEvent(`event#${at}`));

/** What the service never sends. If a change makes it send this, the double must refuse it too. */
export const MISTAKES: Readonly<Record<string, readonly Call[]>> = {
  keys: [
    get('workspaces', { Key: { workspaceId: '' } }),
    get('workspaces', { Key: { workspaceId, more: 'x' } }),
    get('forms', { Key: { slug: 'contact' } }),
    put('forms', { Item: { slug: 'contact' } }),
    put('tokens', { Item: { tokenHash: 't', workspaceId, tokenId: '' } }),
    { operation: 'BatchGetItem', input: { RequestItems: {} } },
    {
      operation: 'BatchGetItem',
      input: {
        RequestItems: { workspaces: { Keys: [marshall({ workspaceId }), marshall({ workspaceId })] } },
      },
    },
  ],
  expressions: [
    put('workspaces', { Item: workspace, ConditionExpression: '#nobody = :x' }),
    put('workspaces', { Item: workspace, ConditionExpression: 'attribute_exists(workspaceId) AND' }),
    put('workspaces', {
      Item: workspace,
      ConditionExpression: 'attribute_exists(workspaceId)',
      ExpressionAttributeValues: { ':idle': 1 },
    }),
    scan('diagnostics', {
      FilterExpression: 'sk = :sk',
      ExpressionAttributeValues: { ':sk': 'a', ':other': 'b' },
    }),
    see,
  ],
  updates: [
    put('workspaces', { Item: workspace }),
    changing('SET workspaceId = :x', 'other'),
    changing('SET v = :x ADD v :x', 1),
    changing('ADD status :x', 1),
    changing('SET copy = nothing'),
    see,
  ],
  transactions: [
    transact([
      ['Put', 'workspaces', { Item: workspace }],
      ['Delete', 'workspaces', { Key: { workspaceId } }],
    ]),
    // The same token is a repeat, and with other parameters a mistake.
    ...[once('a', 'token-1'), once('a', 'token-1'), once('b', 'token-1'), once('c', 'token-2'), see],
  ],
  batches: [
    batchWrite({ diagnostics: many(26) }),
    batchWrite({ diagnostics: [putEvent('event#1'), putEvent('event#1', 'other')] }),
    batchWrite({ diagnostics: [putEvent('event#1'), deleteEvent('event#1')] }),
    batchWrite({ diagnostics: [putEvent('event#1'), putEvent('')] }),
    batchWrite({ diagnostics: [] }),
    batchWrite({}),
    batchWrite({ diagnostics: many(25) }),
    query('diagnostics', {
      KeyConditionExpression: 'workspaceId = :workspaceId',
      ExpressionAttributeValues: { ':workspaceId': workspaceId },
      ConsistentRead: true,
    }),
  ],
};
