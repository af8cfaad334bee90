import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type TableNames, toDocumentClient } from '../../lambdas/aws/dynamodb.ts';
import type { TableKey } from '../../lambdas/contract.ts';
import { localStack } from '../local-stack.ts';
import {
  type Call,
  type Engine,
  get,
  outcomesOf,
  put,
  RECORDER_CASES,
  update,
} from './double/conformance.ts';
import { generatedCalls } from './double/conformance-generated.ts';
import { SETTINGS_CASES } from './double/conformance-settings.ts';
import { SUBMISSION_CASES } from './double/conformance-submissions.ts';
import { DynamoDbDouble } from './double/dynamodb-double.ts';
import { TABLE_DEFINITIONS } from './double/table.ts';
import { Unsupported } from './double/wire-format.ts';
import { wiredDynamoDb } from './double/wired-client.ts';

const CASES = { ...SUBMISSION_CASES, ...SETTINGS_CASES };

// Differences between DynamoDB Local and AWS that this suite can't check: DynamoDB Local has no transaction conflicts,
// never throttles, and its indexes never lag. The harness injects these itself.
const TABLE_KEYS = Object.keys(TABLE_DEFINITIONS) as TableKey[];
const stack = localStack();
const rawClient = stack.newClient();

function tableNames(prefix: string): TableNames {
  return Object.fromEntries(TABLE_KEYS.map((tableKey) => [tableKey, `${prefix}-${tableKey}`])) as TableNames;
}

/** Separate tables with the stack's keys, because the stack's functions act on every write to its own tables. */
async function localEngine(): Promise<Engine> {
  const tables = tableNames(`faults-${randomUUID()}`);
  for (const tableKey of TABLE_KEYS) {
    const { Table } = await rawClient.send(new DescribeTableCommand({ TableName: stack.tables[tableKey] }));
    await rawClient.send(
      new CreateTableCommand({
        TableName: tables[tableKey],
        KeySchema: Table?.KeySchema,
        AttributeDefinitions: Table?.AttributeDefinitions,
        BillingMode: 'PAY_PER_REQUEST',
        GlobalSecondaryIndexes: Table?.GlobalSecondaryIndexes?.map(
          ({ IndexName, KeySchema, Projection }) => ({
            IndexName,
            KeySchema,
            Projection,
          }),
        ),
      }),
    );
  }
  return { client: toDocumentClient(rawClient), tables };
}

function doubleEngine(): Engine {
  const tables = tableNames('double');
  const double = new DynamoDbDouble((tableKey) => tables[tableKey]);
  const client = wiredDynamoDb(async (operation, input) => double.execute(operation, input), 1);
  return { client: toDocumentClient(client), tables };
}

let local: Engine;

beforeAll(async () => {
  local = await localEngine();
});

afterAll(async () => {
  for (const TableName of Object.values(local.tables))
    await rawClient.send(new DeleteTableCommand({ TableName }));
  rawClient.destroy();
});

async function compare(calls: readonly Call[], double: Engine): Promise<void> {
  const expected = await outcomesOf(local, calls);
  expect(await outcomesOf(double, calls)).toEqual(expected);
}

describe('the double and DynamoDB Local', () => {
  test('have the same tables, keys and indexes', async () => {
    for (const tableKey of TABLE_KEYS) {
      const { Table } = await rawClient.send(new DescribeTableCommand({ TableName: stack.tables[tableKey] }));
      const keysOf = (schema: { AttributeName?: string | undefined }[] = []) =>
        schema.map(({ AttributeName }) => AttributeName);
      const indexes = (Table?.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => [
        IndexName,
        {
          keys: keysOf(KeySchema),
          projects: Projection?.ProjectionType === 'ALL' ? 'all' : (Projection?.NonKeyAttributes ?? []),
        },
      ]);
      expect({ tableKey, keys: keysOf(Table?.KeySchema), indexes: Object.fromEntries(indexes) }).toEqual({
        tableKey,
        ...TABLE_DEFINITIONS[tableKey],
      });
    }
  });

  describe('give the same response', () => {
    beforeEach(async () => {
      // Each case starts with empty tables.
      const before = local.tables;
      local = await localEngine();
      for (const TableName of Object.values(before))
        await rawClient.send(new DeleteTableCommand({ TableName }));
    });

    test.each(Object.entries({ ...CASES, ...RECORDER_CASES }))('%s', async (_, calls) => {
      await compare(calls, doubleEngine());
    });
  });

  test('give the same response to generated conditions and updates', async () => {
    const double = doubleEngine();
    await fc.assert(
      fc.asyncProperty(generatedCalls(), (calls) => compare(calls, double)),
      // A random seed would make CI fail on unrelated changes.
      { numRuns: 400, seed: 20_261_115 },
    );
  });

  test('differ when one misses an update', async () => {
    const Key = { workspaceId: randomUUID() };
    const calls = [
      put('workspaces', { Item: { ...Key, n: 1 } }),
      update('workspaces', {
        Key,
        UpdateExpression: 'ADD n :by',
        ExpressionAttributeValues: { ':by': 1 },
      }),
      get('workspaces', { Key, ConsistentRead: true }),
    ];
    const expected = await outcomesOf(local, calls);
    expect(await outcomesOf(doubleEngine(), [calls[0] as Call, calls[2] as Call])).not.toEqual([
      expected[0],
      expected[2],
    ]);
  });

  test.each([
    ['an operation', 'DescribeTable', { TableName: 'leads' }],
    ['a member', 'GetItem', { TableName: 'workspaces', Key: { workspaceId: { S: 'a' } }, Mystery: 1 }],
    [
      'a function',
      'PutItem',
      {
        TableName: 'workspaces',
        Item: { workspaceId: { S: 'a' } },
        ConditionExpression: 'size(x) > :n',
        ExpressionAttributeValues: { ':n': { N: '1' } },
      },
    ],
    ['a number', 'PutItem', { TableName: 'workspaces', Item: { workspaceId: { S: 'a' }, n: { N: '0.10' } } }],
  ])('throws on %s that the double does not support', (_, operation, input) => {
    expect(() => new DynamoDbDouble().execute(operation, input)).toThrow(Unsupported);
  });
});
