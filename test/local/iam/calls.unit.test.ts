import { describe, expect, test } from '@jest/globals';
import { dynamoDbCalls, sqsCalls, streamCalls } from '#local/iam/calls.ts';
import type { Call } from '#local/iam/evaluate.ts';
import { readResources } from '#local/iam/resources.ts';
import { readIamTemplate } from '../support/iam-template.ts';

const resources = readResources(readIamTemplate([]));

const TABLES = 'arn:aws:dynamodb:us-east-1:000000000000:table/';
const STREAM = `${TABLES}S-Leads/stream/2026-11-15T00:00:00.000`;
const shorten = ({ action, resource }: Call) =>
  `${action} ${resource.replace(/^arn:aws:\w+:[\w-]*:\d*:/, '')}`;
const leads = { TableName: 'S-Leads' };
const wantsKeys = (key: string): boolean => key === 'dynamodb:LeadingKeys';
const wantsNothing = () => false;

describe('what a request to DynamoDB needs', () => {
  test.each<[operation: string, body: object, needs: string[]]>([
    ['GetItem', leads, ['dynamodb:GetItem table/S-Leads']],
    ['GetItem', { TableName: `${TABLES}S-Leads` }, ['dynamodb:GetItem table/S-Leads']],
    ['Query', { ...leads, IndexName: 'byForm' }, ['dynamodb:Query table/S-Leads/index/byForm']],
    ['Scan', { ...leads, IndexName: 'byForm' }, ['dynamodb:Scan table/S-Leads/index/byForm']],
    ['DescribeTable', { TableName: 'S-Secrets' }, ['dynamodb:DescribeTable table/S-Secrets']],
    ['DescribeTimeToLive', leads, ['dynamodb:DescribeTimeToLive table/S-Leads']],
    [
      'BatchGetItem',
      { RequestItems: { 'S-Leads': { Keys: [] }, 'S-Secrets': { Keys: [] } } },
      [
        'dynamodb:BatchGetItem table/S-Leads',
        'dynamodb:BatchGetItem table/S-Secrets',
        'kms:Decrypt key/S-SecretsKey',
      ],
    ],
    [
      'BatchWriteItem',
      { RequestItems: { 'S-Leads': [{ PutRequest: { Item: {} } }, { DeleteRequest: { Key: {} } }] } },
      ['dynamodb:BatchWriteItem table/S-Leads'],
    ],
    [
      'TransactWriteItems',
      { TransactItems: [{ Put: leads }, { Update: leads }, { Delete: leads }, { ConditionCheck: leads }] },
      ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map(
        (it) => `dynamodb:${it} table/S-Leads`,
      ),
    ],
    ['TransactGetItems', { TransactItems: [{ Get: leads }] }, ['dynamodb:GetItem table/S-Leads']],
    [
      'UpdateItem',
      { TableName: 'S-Secrets' },
      ['dynamodb:UpdateItem table/S-Secrets', 'kms:Decrypt key/S-SecretsKey'],
    ],
  ])('%s %j', (operation, body, needs) => {
    const calls = dynamoDbCalls(operation, body as typeof leads, resources, wantsNothing);
    expect(calls.map(shorten)).toEqual(needs);
  });

  test.each([
    ['ExecuteStatement', {}, 'the permissions of dynamodb:ExecuteStatement are not known'],
    ['CreateTable', leads, 'the permissions of dynamodb:CreateTable are not known'],
    ['GetItem', { TableName: 'Elsewhere' }, 'the template has no table Elsewhere'],
  ])('fails for %s %j, which it does not know', (operation, body, complaint) => {
    const read = () => dynamoDbCalls(operation, body as typeof leads, resources, wantsNothing);
    expect(read).toThrow(complaint);
  });
});

describe('the context of a call', () => {
  const contextOf = (operation: string, body: object, wants = wantsKeys) =>
    dynamoDbCalls(operation, { ...leads, ...body }, resources, wants)[0]?.context ?? {};

  test.each<[operation: string, body: object, keys: string[] | undefined]>([
    ['GetItem', { Key: { leadId: { S: 'l1' }, part: { S: 'lead' } } }, ['l1']],
    ['PutItem', { Item: { leadId: { S: 'l1' }, body: { S: '{}' } } }, ['l1']],
    [
      'BatchGetItem',
      { RequestItems: { 'S-Leads': { Keys: [{ leadId: { S: 'l1' } }, { leadId: { S: 'l2' } }] } } },
      ['l1', 'l2'],
    ],
    [
      'BatchWriteItem',
      { RequestItems: { 'S-Leads': [{ DeleteRequest: { Key: { leadId: { S: 'l1' } } } }] } },
      ['l1'],
    ],
    ['TransactWriteItems', { TransactItems: [{ Put: { ...leads, Item: { leadId: { S: 'l1' } } } }] }, ['l1']],
    [
      'Query',
      { KeyConditionExpression: 'leadId = :id', ExpressionAttributeValues: { ':id': { S: 'l1' } } },
      ['l1'],
    ],
    [
      'Query',
      {
        IndexName: 'byForm',
        KeyConditionExpression: '#s > :s AND #f = :f',
        ExpressionAttributeNames: { '#f': 'formId', '#s': 'receivedAt' },
        ExpressionAttributeValues: { ':f': { N: '7' }, ':s': { S: '2026' } },
      },
      ['7'],
    ],
    ['Scan', {}, undefined],
  ])('%s %j has the values of the partition key', (operation, body, keys) => {
    expect(contextOf(operation, body)['dynamodb:LeadingKeys']).toEqual(keys);
  });

  test('has key values only if a statement asks for them', () => {
    const context = contextOf('GetItem', { Key: { leadId: { S: 'l1' } } }, wantsNothing);
    expect(JSON.stringify(context)).not.toContain('l1');
  });

  test('fails for a query whose partition key cannot be read', () => {
    expect(() => contextOf('Query', { KeyConditions: {} })).toThrow('names no value of leadId');
  });

  test('knows the transaction, the attributes and what is returned', () => {
    expect(
      contextOf('TransactWriteItems', { TransactItems: [{ Put: { ...leads, Item: {} } }] }),
    ).toMatchObject({
      'dynamodb:EnclosingOperation': 'TransactWriteItems',
    });
    expect(contextOf('Query', { Select: 'COUNT' }, wantsNothing)).toMatchObject({
      'dynamodb:Select': 'COUNT',
    });
    expect(contextOf('UpdateItem', { ReturnValues: 'ALL_NEW' })).toMatchObject({
      'dynamodb:ReturnValues': 'ALL_NEW',
    });
  });

  test('of a key is its table, through DynamoDB', () => {
    const [, decrypt] = dynamoDbCalls('GetItem', { TableName: 'S-Secrets' }, resources, wantsNothing);
    expect(decrypt?.context).toEqual({
      'kms:ViaService': 'dynamodb.us-east-1.amazonaws.com',
      'kms:CallerAccount': '000000000000',
      'kms:EncryptionContext:aws:dynamodb:tableName': 'S-Secrets',
      'kms:EncryptionContext:aws:dynamodb:subscriberId': '000000000000',
    });
  });
});

describe('what a request to a stream needs', () => {
  test.each<[operation: string, body: object, resource: string]>([
    ['DescribeStream', { StreamArn: STREAM }, STREAM],
    ['GetShardIterator', { StreamArn: STREAM }, STREAM],
    ['GetRecords', { ShardIterator: `000|${STREAM}|AAA=` }, STREAM],
    ['ListStreams', {}, '*'],
  ])('%s', (operation, body, resource) => {
    expect(streamCalls(operation, body as typeof leads, resources)).toEqual([
      { action: `dynamodb:${operation}`, resource },
    ]);
  });

  test('fails for an iterator without a stream', () => {
    expect(() => streamCalls('GetRecords', { ...leads, ShardIterator: 'AAA=' }, resources)).toThrow(
      'not known',
    );
  });
});

describe('what a request to SQS needs', () => {
  test.each<[operation: string, needs: string[]]>([
    [
      'SendMessage',
      ['sqs:SendMessage S-Work', 'kms:GenerateDataKey key/S-SecretsKey', 'kms:Decrypt key/S-SecretsKey'],
    ],
    [
      'SendMessageBatch',
      ['sqs:SendMessage S-Work', 'kms:GenerateDataKey key/S-SecretsKey', 'kms:Decrypt key/S-SecretsKey'],
    ],
    ['ReceiveMessage', ['sqs:ReceiveMessage S-Work', 'kms:Decrypt key/S-SecretsKey']],
    ['DeleteMessageBatch', ['sqs:DeleteMessage S-Work']],
    ['ChangeMessageVisibilityBatch', ['sqs:ChangeMessageVisibility S-Work']],
    ['GetQueueAttributes', ['sqs:GetQueueAttributes S-Work']],
  ])('%s, where the queue is encrypted', (operation, needs) => {
    const QueueUrl = 'http://127.0.0.1:2/000000000000/S-Work';
    expect(sqsCalls(operation, { QueueUrl }, resources).map(shorten)).toEqual(needs);
  });

  test('no key if the queue has none of its own', () => {
    const QueueUrl = 'http://127.0.0.1:2/000000000000/S-Plain';
    expect(sqsCalls('SendMessage', { QueueUrl }, resources).map(shorten)).toEqual([
      'sqs:SendMessage S-Plain',
    ]);
  });

  test('fails for unknown requests', () => {
    expect(() => sqsCalls('PurgeQueue', {}, resources)).toThrow('sqs:PurgeQueue are not known');
    expect(() => sqsCalls('SendMessage', { QueueUrl: 'http://x/1/Other' }, resources)).toThrow(
      'no queue Other',
    );
  });
});
