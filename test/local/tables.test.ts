import { randomUUID } from 'node:crypto';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openDataDirectory } from '../../local/data-directory.ts';
import { startDynamoDbLocal } from '../../local/dynamodb-local.ts';
import { makeClosers } from '../../local/lifecycle.ts';
import { makeTables } from '../../local/tables.ts';
import { type Template, TemplateReader } from '../../local/template.ts';

// Its own engine, as at a start: with other writes, DynamoDB Local may take minutes to fill an index.
const closers = makeClosers();
let client: DynamoDBClient;
beforeAll(async () => {
  ({ client } = await startDynamoDbLocal(await openDataDirectory(undefined, closers), closers));
});
afterAll(() => closers.close());

// Each test has its own tables: they are named after the stack.
let stackName: string;
beforeEach(() => {
  stackName = `Tables-${randomUUID()}`;
});

const key = (hash: string, range?: string) => [
  { AttributeName: hash, KeyType: 'HASH' },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' }]),
];

const index = (IndexName: string, ProjectionType: string, NonKeyAttributes?: string[]) => ({
  IndexName,
  KeySchema: key('form'),
  Projection: { ProjectionType, NonKeyAttributes },
});

const SHAPE = {
  AttributeDefinitions: ['id', 'part', 'form'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  })),
  KeySchema: key('id', 'part'),
  GlobalSecondaryIndexes: [index('byForm', 'INCLUDE', ['score'])],
  StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
  TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
  Replicas: [{ Region: { Ref: 'AWS::Region' } }],
};

const tableOf = (properties: Record<string, unknown>) => ({
  Type: 'AWS::DynamoDB::GlobalTable',
  Properties: properties,
});

const make = (properties: Record<string, unknown>, others: Template['Resources'] = {}) =>
  makeTables(client, new TemplateReader({ Resources: { Leads: tableOf(properties), ...others } }, stackName));

async function describeTable() {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: `${stackName}-Leads` }));
  return Table;
}

test('creates a table with its keys, indexes, stream and time to live', async () => {
  expect(await make(SHAPE)).toBe(true);
  expect(await describeTable()).toMatchObject({
    KeySchema: SHAPE.KeySchema,
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byForm',
        KeySchema: key('form'),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['score'] },
      },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  });
  const { TimeToLiveDescription } = await client.send(
    new DescribeTimeToLiveCommand({ TableName: `${stackName}-Leads` }),
  );
  expect(TimeToLiveDescription).toMatchObject({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expiresAt' });
});

test('keeps an existing table, and says that the database is not new', async () => {
  await make(SHAPE);
  const item = { id: { S: '1' }, part: { S: 'lead' }, form: { S: 'f' } };
  await client.send(new PutItemCommand({ TableName: `${stackName}-Leads`, Item: item }));
  expect(await make(SHAPE)).toBe(false);
  expect((await describeTable())?.ItemCount).toBe(1);
});

test('adds a new table, a new index, a new stream and a time to live, to no other table with the same keys', async () => {
  const AttributeDefinitions = SHAPE.AttributeDefinitions.slice(0, 2);
  const plain = { AttributeDefinitions, KeySchema: SHAPE.KeySchema };
  const others = { Twin: tableOf(plain) };
  await make(plain);
  const item = { id: { S: '1' }, part: { S: 'lead' }, form: { S: 'f' } };
  await client.send(new PutItemCommand({ TableName: `${stackName}-Leads`, Item: item }));
  // The second time it is all there already.
  for (const _ of [1, 2]) expect(await make(SHAPE, others)).toBe(false);
  expect((await describeTable())?.StreamSpecification?.StreamEnabled).toBe(true);
  const TableName = `${stackName}-Twin`;
  const { Table: twin } = await client.send(new DescribeTableCommand({ TableName }));
  expect(twin?.GlobalSecondaryIndexes ?? []).toEqual([]);
  expect(twin?.AttributeDefinitions).toHaveLength(2);
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  expect(TimeToLiveDescription).toMatchObject({ TimeToLiveStatus: 'DISABLED' });
  const { Count } = await client.send(
    new QueryCommand({
      TableName: `${stackName}-Leads`,
      IndexName: 'byForm',
      KeyConditionExpression: 'form = :form',
      ExpressionAttributeValues: { ':form': { S: 'f' } },
    }),
  );
  expect(Count).toBe(1);
});

test.each([
  ['another key', { KeySchema: key('form') }],
  [
    'another type of key',
    { AttributeDefinitions: SHAPE.AttributeDefinitions.map((a) => ({ ...a, AttributeType: 'N' })) },
  ],
  ['another projection', { GlobalSecondaryIndexes: [index('byForm', 'ALL')] }],
  [
    'other projected attributes',
    { GlobalSecondaryIndexes: [index('byForm', 'INCLUDE', ['score', 'clean'])] },
  ],
  ['one index less', { GlobalSecondaryIndexes: [] }],
])('asks to delete the data folder if the template wants %s', async (_, change) => {
  await make(SHAPE);
  await expect(make({ ...SHAPE, ...change })).rejects.toThrow(
    /^The keys or indexes of the kept table Tables-[\w-]+-Leads .* run leadctl backup --to FOLDER; leadctl restore .* Delete the data folder to start again\.$/,
  );
});
